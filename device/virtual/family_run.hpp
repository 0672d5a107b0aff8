// Runs a grid of the host, and after each grid the grids that its threads launched. CUDA permits
// this order: no thread may wait for a grid that it launched.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "device/session.hpp"
#include "device/virtual/machine/family/grid_family.hpp"
#include "device/virtual/machine/grid/grid.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck::device {

class FamilyRun {
 public:
  /// Sets the limits of a grid in its context.
  using SetLimits = std::function<void(machine::LaunchContext&)>;

  FamilyRun(const VirtualOptions& options, unsigned host_threads, std::size_t pending_launches,
            SetLimits set_limits)
      : options_(options),
        host_threads_(host_threads),
        pending_launches_(pending_launches),
        set_limits_(std::move(set_limits)) {}

  /// Returns the totals of all grids, and the findings of the first grid.
  [[nodiscard]] machine::GridResult run(machine::LaunchContext context);
  /// Returns the findings of the other grids.
  [[nodiscard]] std::vector<DeviceGridFindings> take_device_grids() {
    return std::move(device_grids_);
  }

 private:
  using Ranges = std::vector<checks::BlockRange>;

  void run_grid(const machine::LaunchContext& context, std::size_t number);
  void run_launches(const machine::LaunchContext& parent, std::size_t parent_number,
                    std::vector<machine::DeviceLaunch> launches);
  void run_child(const machine::LaunchContext& parent, std::size_t parent_number,
                 const machine::DeviceLaunch& launch, const Ranges& ended);
  [[nodiscard]] bool fits(machine::LaunchContext& context);
  void merge(machine::GridResult result, std::size_t number);
  [[nodiscard]] bool goes_on() const { return !total_.faulted && !total_.unsupported; }
  [[nodiscard]] std::vector<LaunchSite> sites_of(std::size_t number) const;

  const VirtualOptions& options_;
  unsigned host_threads_;
  std::size_t pending_launches_;  // largest number per grid; a launch beyond it is a note
  SetLimits set_limits_;
  machine::GridFamily* family_ = nullptr;
  machine::GridResult total_;
  std::vector<DeviceGridFindings> device_grids_;
  std::uint64_t next_block_ = 0;
};

}  // namespace warpcheck::device
