// One launch on the virtual device: limits, then the grid. Jobs and sessions share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/session.hpp"
#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/machine/grid/grid.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck::device {

struct KernelLaunch {
  const machine::Program* program = nullptr;
  const machine::FunctionCode* kernel = nullptr;
  machine::GlobalMemory* memory = nullptr;
  const machine::Textures* textures = nullptr;
  Dim3 grid;
  Dim3 block;
  std::optional<Dim3> cluster = {};   // blocks of a cluster; empty: as the kernel declares
  std::size_t shared_bytes = 0;       // dynamic
  std::vector<std::byte> parameters;  // in the layout of the kernel's PTX
  std::uint64_t schedule_seed = 0;
  bool interleave = false;               // short turns of warps: see LaunchContext
  bool splits_lanes = false;             // in half of the schedules: see LaunchContext
  std::uint64_t instruction_budget = 0;  // warp instructions of a block; 0: a generous default
  std::size_t pending_launches = 2048;   // by threads: more are a note
  bool keep_going = false;               // after findings with which the launch can go on
  bool may_be_slow = false;              // beyond its budget it is undecided, not a timeout
  bool digest = false;
  bool footprint = false;     // fill LaunchEnd::accesses; this requires VirtualOptions::races
  bool programmatic = false;  // list the early accesses first
  bool limits_only = false;   // do not run the kernel
  machine::LaunchObserver* observer = nullptr;
  const StopCondition* stop = nullptr;
};

/// `refused` or `unsupported` is the reason why the launch did not begin; otherwise the launch has
/// a result.
struct LaunchEnd {
  std::optional<Finding> refused;
  LaunchLimit exceeded = LaunchLimit::none;  // why it was refused
  std::optional<Unsupported> unsupported;
  machine::GridResult grid;
  std::vector<DeviceGridFindings> device_grids;
  bool blocks_raced = false;            // the result depends on the host's threads
  std::vector<AccessedRange> accesses;  // of memory that the host allocated, and of variables
};

[[nodiscard]] LaunchEnd run_kernel(const VirtualOptions& options, unsigned host_threads,
                                   KernelLaunch launch);

/// The reason why the kernel of an entry cannot be launched; empty: it can. Null: there is none.
[[nodiscard]] std::string refusal(const machine::FunctionCode* kernel, const std::string& entry);

/// The reason why the host ended a launch by std::bad_alloc.
[[nodiscard]] Unsupported no_memory();

/// A finding without a place: the launch is refused.
[[nodiscard]] Finding launch_failure(std::string message);

}  // namespace warpcheck::device
