#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "device/virtual/machine/grid.hpp"

namespace warpcheck::machine {
namespace {

/// Largest shared memory of a block, opt-in included, in bytes, by compute capability.
struct SharedLimit {
  int capability;
  std::size_t bytes;
};
constexpr std::array kSharedLimits = {
    SharedLimit{70, 96 << 10},  SharedLimit{75, 64 << 10},   SharedLimit{80, 163 << 10},
    SharedLimit{86, 99 << 10},  SharedLimit{87, 163 << 10},  SharedLimit{89, 99 << 10},
    SharedLimit{90, 227 << 10}, SharedLimit{100, 227 << 10},
};

std::size_t shared_limit(const std::string& target) {
  const int capability = std::atoi(target.c_str() + std::string_view("sm_").size());
  std::size_t limit = 48 << 10;
  for (const SharedLimit& row : kSharedLimits) {
    if (row.capability <= capability) limit = row.bytes;
  }
  return limit;
}

std::optional<std::string> complaint(const LaunchContext& launch) {
  const auto over = [](std::string_view what, std::uint64_t found,
                       std::uint64_t limit) -> std::optional<std::string> {
    if (found <= limit) return std::nullopt;
    return fmt::format("{} is {}; the architecture allows {}", what, found, limit);
  };
  const Dim3& block = launch.block;
  const Dim3& grid = launch.grid;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || std::uint64_t{grid.x} * grid.y * grid.z == 0) {
    return fmt::format("the launch is empty: grid {} x {} x {}, block {} x {} x {}", grid.x, grid.y,
                       grid.z, block.x, block.y, block.z);
  }
  for (const auto& bad : {over("the number of threads of a block", threads, 1024),
                          over("blockDim.x", block.x, 1024), over("blockDim.y", block.y, 1024),
                          over("blockDim.z", block.z, 64), over("gridDim.x", grid.x, 0x7fffffff),
                          over("gridDim.y", grid.y, 65535), over("gridDim.z", grid.z, 65535),
                          over("the shared memory of a block in bytes",
                               launch.kernel->shared_bytes + launch.dynamic_shared_bytes,
                               shared_limit(launch.program->module.target))}) {
    if (bad) return bad;
  }
  const ptx::Directives& declared = launch.kernel->source->directives;
  if (declared.maxntid) {
    const auto& most = *declared.maxntid;
    const std::uint64_t limit = std::uint64_t{most[0]} * most[1] * most[2];
    if (threads > limit) {
      return fmt::format("a block has {} threads; the kernel's launch bounds allow {}", threads,
                         limit);
    }
  }
  if (declared.reqntid && *declared.reqntid != std::array{block.x, block.y, block.z}) {
    const auto& need = *declared.reqntid;
    return fmt::format("a block is {} x {} x {}; the kernel requires {} x {} x {}", block.x,
                       block.y, block.z, need[0], need[1], need[2]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Finding> exceeded_limit(const LaunchContext& launch) {
  std::optional<std::string> message = complaint(launch);
  if (!message) return std::nullopt;
  Finding finding;
  finding.kind = FindingClass::launch_failure;
  finding.message = std::move(*message);
  return finding;
}

}  // namespace warpcheck::machine
