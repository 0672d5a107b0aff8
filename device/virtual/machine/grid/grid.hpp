// A launch: every block of a grid, over the host's threads, with one result whatever their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/virtual/machine/block/block.hpp"

namespace warpcheck::machine {

struct GridResult {
  std::vector<Finding> findings;  // in the order of blocks, one per class and instruction
  std::string printed;
  std::optional<device::Writer> writer;
  std::uint64_t warp_instructions = 0;
  std::uint64_t access_digest = 0;
  bool faulted = false;
};

/// What the architecture allows of a launch (CUDA C++ Programming Guide, compute capabilities);
/// a launch-failure where this one asks for more.
[[nodiscard]] std::optional<Finding> exceeded_limit(const LaunchContext& launch);

[[nodiscard]] GridResult run_grid(const LaunchContext& launch, unsigned host_threads);

}  // namespace warpcheck::machine
