// Runs the blocks of a grid on the host's threads. The result does not depend on their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/virtual/machine/block/block.hpp"

namespace warpcheck::machine {

struct GridResult {
  std::vector<Finding> findings;                   // sorted by block; one per class and instruction
  std::optional<device::Unsupported> unsupported;  // instruction that ended the launch
  std::string printed;
  std::uint64_t unprinted_bytes = 0;  // bytes beyond the limit that the kernel printed
  std::optional<device::Writer> writer;
  std::uint64_t warp_instructions = 0;
  std::uint64_t access_digest = 0;
  bool faulted = false;
  // True: the condition of the launch ended it; the other fields then hold no result.
  bool stopped = false;
  bool has_crowded_barrier = false;  // a block has one: see Block::has_crowded_barrier()
};

/// The cluster size that the kernel declares, in blocks; 1 x 1 x 1 without a declaration.
[[nodiscard]] Dim3 declared_cluster(const FunctionCode& kernel);

struct ExceededLimit {
  device::LaunchLimit limit = device::LaunchLimit::none;
  std::string message;
};

/// The first limit of the GPU, or of the kernel, that the launch exceeds (CUDA C++ Programming
/// Guide, compute capabilities).
[[nodiscard]] std::optional<ExceededLimit> exceeded_limit(const LaunchContext& launch);

/// Returns the first limit of the device that the launch exceeds; empty if it can be run.
[[nodiscard]] std::optional<device::Unsupported> exceeded_device_limit(
    const LaunchContext& launch, const device::Limits& limits);

/// The number of blocks that are resident together if blocks may wait for one another.
[[nodiscard]] std::uint64_t most_residents(const LaunchContext& launch);

[[nodiscard]] GridResult run_grid(const LaunchContext& launch, unsigned host_threads);

}  // namespace warpcheck::machine
