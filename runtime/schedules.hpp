// One launch under further schedules. Each runs in a child process, on a copy of the memory as it
// is before the launch, which the kernel of the host makes page by page as either process writes.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "device/session.hpp"

namespace warpcheck::runtime {

class OtherSchedules {
 public:
  /// Starts schedules 2 to `schedules` of the launch; that of `launch` is the first one.
  OtherSchedules(device::Session& session, device::ModuleId module,
                 const device::SessionLaunch& launch, unsigned schedules);
  OtherSchedules(const OtherSchedules&) = delete;
  OtherSchedules& operator=(const OtherSchedules&) = delete;
  /// Ends the schedules that still run.
  ~OtherSchedules();

  struct Result {
    // Findings that no earlier launch reported; the messages name the schedule.
    std::vector<Finding> findings;
    std::vector<device::DeviceGridFindings> device_grids;
    std::vector<std::string> failures;  // reasons why schedules have no result
  };
  /// Waits for all.
  [[nodiscard]] Result result();

 private:
  struct Child {
    unsigned schedule = 0;
    pid_t process = -1;
    int output = -1;
  };
  void start(device::Session& session, device::ModuleId module, device::SessionLaunch launch,
             Child& child);

  unsigned schedules_;
  std::vector<Child> children_;
  std::vector<std::string> failures_;
};

}  // namespace warpcheck::runtime
