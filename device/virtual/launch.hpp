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
#include "device/virtual/early_accesses.hpp"
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
  std::optional<Dim3> cluster = {};   // cluster size in blocks; empty: as the kernel declares
  std::size_t shared_bytes = 0;       // dynamic shared memory
  std::vector<std::byte> parameters;  // laid out as the parameters of the kernel's PTX
  std::uint64_t schedule_seed = 0;
  bool interleave = false;               // short turns of warps: see LaunchContext
  bool splits_lanes = false;             // splits lanes in half of the schedules: see LaunchContext
  std::uint64_t instruction_budget = 0;  // warp instructions of a block; 0: a generous default
  // Pending launches by threads; a launch beyond the limit is a note.
  std::size_t pending_launches = 2048;
  bool keep_going = false;   // continue after findings that permit it
  bool may_be_slow = false;  // true: beyond its budget the launch is undecided; false: a timeout
  bool digest = false;
  // Fills LaunchEnd::accesses; requires VirtualOptions::races.
  bool footprint = false;
  bool programmatic = false;                       // list the early accesses first
  std::vector<SharedWithPredecessor> shared = {};  // fills LaunchEnd::early; requires `races`
  bool limits_only = false;                        // do not run the kernel
  machine::LaunchObserver* observer = nullptr;
  const StopCondition* stop = nullptr;
};

/// The end of a launch. If the launch did not begin, `refused` or `unsupported` is the reason;
/// otherwise the launch has a result.
struct LaunchEnd {
  std::optional<Finding> refused;
  LaunchLimit exceeded = LaunchLimit::none;  // the limit that the launch exceeds, if it is refused
  std::optional<Unsupported> unsupported;
  machine::GridResult grid;
  std::vector<DeviceGridFindings> device_grids;
  bool blocks_raced = false;  // the result depends on the order of host threads
  // Accesses to memory that the host allocated, and to variables.
  std::vector<AccessedRange> accesses;
  std::vector<Finding> early;  // races with the kernel launched before
};

[[nodiscard]] LaunchEnd run_kernel(const VirtualOptions& options, unsigned host_threads,
                                   KernelLaunch launch);

/// The reason why the kernel of an entry cannot be launched; empty: it can. `kernel` is null if no
/// such entry exists.
[[nodiscard]] std::string refusal(const machine::FunctionCode* kernel, const std::string& entry);

/// The reason that ended a launch if the host had no memory (std::bad_alloc).
[[nodiscard]] Unsupported no_memory();

/// A finding without a place: the launch was refused.
[[nodiscard]] Finding launch_failure(std::string message);

}  // namespace warpcheck::device
