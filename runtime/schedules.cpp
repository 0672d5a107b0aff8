#include "runtime/schedules.hpp"

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

namespace warpcheck::runtime {
namespace {

using nlohmann::ordered_json;

/// Warp instructions, 16 times those of the longest launch whose other schedules count: an endless
/// launch is found by the first one.
constexpr std::uint64_t kMostInstructionsOfOthers = std::uint64_t{1} << 24;

/// A launch by a thread of the device has the parts of a finding.
ordered_json site_json(const device::LaunchSite& site) {
  Finding parts;
  parts.message = site.kernel;
  parts.source = site.source;
  parts.thread = site.thread;
  return device::encoding::finding_json(parts);
}

device::LaunchSite site_of(const ordered_json& value) {
  const Finding parts = device::encoding::finding_of(value);
  return {parts.message, parts.source, parts.thread.value_or(ThreadPlace{})};
}

ordered_json findings_json(const std::vector<Finding>& findings) {
  ordered_json all = ordered_json::array();
  for (const Finding& finding : findings) all.push_back(device::encoding::finding_json(finding));
  return all;
}

/// The schedule of a launch, and the number of schedules.
struct Schedule {
  unsigned number;
  unsigned all;
};

std::vector<Finding> findings_of(const ordered_json& values, const Schedule& schedule) {
  std::vector<Finding> findings;
  for (const ordered_json& value : values) {
    findings.push_back(device::encoding::finding_of(value));
    findings.back().schedule = schedule.number;
    findings.back().schedules = schedule.all;
  }
  return findings;
}

/// The findings of the launch, then those of each grid that its threads launched.
std::string encoded(const device::LaunchResult& result) {
  ordered_json grids = ordered_json::array();
  for (const device::DeviceGridFindings& grid : result.device_grids) {
    ordered_json sites = ordered_json::array();
    for (const device::LaunchSite& site : grid.launched_by) sites.push_back(site_json(site));
    grids.push_back(
        {device::encoding::text_json(grid.kernel), std::move(sites), findings_json(grid.findings)});
  }
  return ordered_json{findings_json(result.findings), std::move(grids)}.dump();
}

void decode(const ordered_json& value, const Schedule& schedule, OtherSchedules::Result& result) {
  for (Finding& finding : findings_of(value.at(0), schedule)) {
    result.findings.push_back(std::move(finding));
  }
  for (const ordered_json& grid : value.at(1)) {
    device::DeviceGridFindings& added = result.device_grids.emplace_back();
    added.kernel = device::encoding::text_of(grid.at(0));
    for (const ordered_json& site : grid.at(1)) added.launched_by.push_back(site_of(site));
    added.findings = findings_of(grid.at(2), schedule);
  }
}

/// Runs the launch in a child process, and writes its findings. Does not return: the exit handlers
/// are those of the parent.
[[noreturn]] void run_in_child(device::Session& session, device::ModuleId module,
                               const device::SessionLaunch& launch, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 1;
  try {
    const std::string text = encoded(session.launch(module, launch));
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
    other.instructions = kMostInstructionsOfOthers;
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
  Result result;
  result.failures = std::exchange(failures_, {});
  for (const Child& child : std::exchange(children_, {})) {
    const std::string text = read_all(child.output);
    close(child.output);
    reap(child.process);
    const ordered_json value = ordered_json::parse(text, nullptr, false);
    if (!value.is_array()) {
      result.failures.push_back(fmt::format("schedule {} ended early", child.schedule));
      continue;
    }
    decode(value, {child.schedule, schedules_}, result);
  }
  return result;
}

}  // namespace warpcheck::runtime
