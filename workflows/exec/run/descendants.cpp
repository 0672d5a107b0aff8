#include "workflows/exec/run/descendants.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <vector>

namespace warpcheck::workflows::exec {
namespace {

namespace fs = std::filesystem;

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code error;
  for (const fs::directory_entry& task :
       fs::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::ifstream file(task.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void signal_descendants(int signal) {
  std::vector<pid_t> all = children_of(getpid());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<pid_t> more = children_of(all[i]);
    all.insert(all.end(), more.begin(), more.end());
  }
  for (const pid_t process : all) kill(process, signal);
}

}  // namespace warpcheck::workflows::exec
