#include "workflows/repository/worktrees.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/diagnostic.hpp"

namespace warpcheck::workflows::repository {
namespace {

namespace fs = std::filesystem;

fs::path make_temporary_folder() {
  std::string name = (fs::temp_directory_path() / "warpcheck-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw EnvironmentError(
        fmt::format("cannot create the temporary folder {}: {}", name, std::strerror(errno)));
  }
  return name;
}

}  // namespace

fs::path Worktrees::add(const std::string& commit) {
  const std::lock_guard lock(mutex_);
  if (closed_) throw EnvironmentError("interrupted");
  folders_.push_back(make_temporary_folder());
  const fs::path tree = folders_.back() / "tree";
  (void)repository_.git({"worktree", "add", "--quiet", "--detach", tree.string(), commit});
  return tree;
}

ChildResult Worktrees::git(const fs::path& worktree, const std::vector<std::string>& arguments) {
  return run_child_group(git_command(worktree, arguments), child_);
}

void Worktrees::remove() {
  if (const int group = child_; group != 0) kill(-group, SIGTERM);
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const fs::path& folder : std::exchange(folders_, {})) {
    (void)run_git(repository_.top(),
                  {"worktree", "remove", "--force", "--force", (folder / "tree").string()});
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
}

}  // namespace warpcheck::workflows::repository
