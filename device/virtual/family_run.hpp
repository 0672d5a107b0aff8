// Runs after each grid the grids that its threads launched. CUDA permits this order: no thread may
// wait for a grid that it launched.
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

  /// Makes the grid of `host` the first of its family. A grid may have `pending_launches` launches
  /// by its threads; a launch beyond them is a note.
  FamilyRun(const VirtualOptions& options, unsigned host_threads, std::size_t pending_launches,
            SetLimits set_limits, machine::LaunchContext& host);

  /// Runs the grids that the threads of the first grid launched. Returns the totals of all grids,
  /// and the findings of the first grid.
  [[nodiscard]] machine::GridResult run_launched(const machine::LaunchContext& host,
                                                 machine::GridResult first);
  /// Returns the findings of the other grids.
  [[nodiscard]] std::vector<DeviceGridFindings> take_device_grids() {
    return std::move(device_grids_);
  }

 private:
  using Ranges = std::vector<checks::BlockRange>;

  void complete(const machine::LaunchContext& context, std::size_t number);
  void run_launches(const machine::LaunchContext& parent, std::size_t parent_number,
                    std::vector<machine::DeviceLaunch> launches);
  void run_child(const machine::LaunchContext& parent, std::size_t parent_number,
                 const machine::DeviceLaunch& launch, const Ranges& ended);
  [[nodiscard]] bool fits(machine::LaunchContext& context);
  void add(machine::GridResult result, std::size_t number);
  [[nodiscard]] bool goes_on() const { return !total_.faulted && !total_.unsupported; }
  [[nodiscard]] std::vector<LaunchSite> sites_of(std::size_t number) const;

  const VirtualOptions& options_;
  unsigned host_threads_;
  SetLimits set_limits_;
  machine::GridFamily family_;
  machine::GridResult total_;
  std::vector<DeviceGridFindings> device_grids_;
  std::uint64_t next_block_;
};

}  // namespace warpcheck::device
