#include "workflows/exec/runtime/schedules.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <utility>

#include "base/hash.hpp"
#include "device/encoding/finding_encoding.hpp"

namespace warpcheck::workflows::exec {
namespace {

using nlohmann::ordered_json;

/// Runs the launch in a child process, and writes its findings. Does not return: the exit handlers
/// are those of the parent.
[[noreturn]] void run_in_child(device::Session& session, device::ModuleId module,
                               const device::SessionLaunch& launch, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 1;
  try {
    ordered_json findings = ordered_json::array();
    for (const Finding& finding : session.launch(module, launch).findings) {
      findings.push_back(device::encoding::finding_json(finding));
    }
    const std::string text = findings.dump();
    std::size_t written = 0;
    while (written < text.size()) {
      const ssize_t count = write(output, text.data() + written, text.size() - written);
      if (count <= 0) break;
      written += static_cast<std::size_t>(count);
    }
    if (written == text.size()) status = 0;
  } catch (const std::exception&) {
    status = 2;
  }
  _exit(status);
}

std::string read_all(int input) {
  std::string text;
  char buffer[1 << 12];
  while (true) {
    const ssize_t count = read(input, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

/// Waits for the end of a child; the program may have waited for it already.
void reap(pid_t process) {
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

OtherSchedules::OtherSchedules(device::Session& session, device::ModuleId module,
                               const device::SessionLaunch& launch, unsigned schedules)
    : schedules_(schedules) {
  for (unsigned schedule = 2; schedule <= schedules; ++schedule) {
    device::SessionLaunch other = launch;
    other.schedule_seed = mixed(launch.schedule_seed ^ mixed(schedule));
    other.interleave = schedule % 2 == 0;
    other.footprint = false;
    Child child{schedule};
    start(session, module, std::move(other), child);
    if (child.process >= 0) children_.push_back(child);
  }
}

void OtherSchedules::start(device::Session& session, device::ModuleId module,
                           device::SessionLaunch launch, Child& child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    failures_.push_back(fmt::format("pipe2: {}", std::strerror(errno)));
    return;
  }
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    run_in_child(session, module, launch, ends[1]);
  }
  if (child.process < 0) failures_.push_back(fmt::format("fork: {}", std::strerror(errno)));
  close(ends[1]);
  child.output = ends[0];
  if (child.process < 0) close(ends[0]);
}

OtherSchedules::~OtherSchedules() {
  for (const Child& child : children_) {
    kill(child.process, SIGKILL);
    close(child.output);
    reap(child.process);
  }
}

OtherSchedules::Result OtherSchedules::result() {
  Result result{{}, std::exchange(failures_, {})};
  for (const Child& child : std::exchange(children_, {})) {
    const std::string text = read_all(child.output);
    close(child.output);
    reap(child.process);
    const ordered_json findings = ordered_json::parse(text, nullptr, false);
    if (!findings.is_array()) {
      result.failures.push_back(fmt::format("schedule {} ended early", child.schedule));
      continue;
    }
    for (const ordered_json& value : findings) {
      Finding finding = device::encoding::finding_of(value);
      finding.message += fmt::format(" (in schedule {} of {})", child.schedule, schedules_);
      result.findings.push_back(std::move(finding));
    }
  }
  return result;
}

}  // namespace warpcheck::workflows::exec
