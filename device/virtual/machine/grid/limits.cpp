#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "device/gpu_model.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/grid/grid.hpp"

namespace warpcheck::machine {
namespace {

const device::GpuModel& gpu_of(const LaunchContext& launch) {
  return launch.gpu != nullptr ? *launch.gpu : device::largest_gpu(launch.program->module.target);
}

/// The message about clusters that the architecture cannot launch.
std::optional<std::string> wrong_cluster(const LaunchContext& launch, const device::GpuModel& gpu) {
  const Dim3& size = launch.cluster;
  const std::uint32_t blocks = blocks_of_cluster(launch);
  if (blocks == 1) return std::nullopt;
  const std::string cluster =
      fmt::format("clusters of {} x {} x {} blocks", size.x, size.y, size.z);
  if (gpu.capability < 90) return cluster + " need compute capability 9.0";
  if (blocks == 0 || blocks > device::kMostCluster) {
    return fmt::format("{}; the architecture allows 1 to {}", cluster, device::kMostCluster);
  }
  const Dim3& grid = launch.grid;
  if (grid.x % size.x != 0 || grid.y % size.y != 0 || grid.z % size.z != 0) {
    return fmt::format("a grid of {} x {} x {} blocks is no multiple of its {}", grid.x, grid.y,
                       grid.z, cluster);
  }
  const auto& need = launch.kernel->source->directives.reqnctapercluster;
  if (need && *need != std::array{size.x, size.y, size.z}) {
    return fmt::format("{}; the kernel requires {} x {} x {}", cluster, (*need)[0], (*need)[1],
                       (*need)[2]);
  }
  return std::nullopt;
}

std::optional<std::string> over(std::string_view what, std::uint64_t found, std::uint64_t limit) {
  if (found <= limit) return std::nullopt;
  return fmt::format("{} is {}; the architecture allows {}", what, found, limit);
}

std::uint64_t count_of(const Dim3& extent) { return std::uint64_t{extent.x} * extent.y * extent.z; }

/// The message about a grid or a block that no GPU launches.
std::optional<std::string> wrong_extent(const Dim3& grid, const Dim3& block) {
  if (count_of(block) == 0 || count_of(grid) == 0) {
    return fmt::format(
        "invalid configuration: the launch is empty: grid {} x {} x {}, block {} x {} x {}", grid.x,
        grid.y, grid.z, block.x, block.y, block.z);
  }
  using namespace device;
  for (const auto& bad :
       {over("the number of threads of a block", count_of(block), kMostBlockThreads),
        over("blockDim.x", block.x, kMostBlockThreads),
        over("blockDim.y", block.y, kMostBlockThreads),
        over("blockDim.z", block.z, kMostBlockDepth), over("gridDim.x", grid.x, kMostGridWidth),
        over("gridDim.y", grid.y, kMostGridHeight), over("gridDim.z", grid.z, kMostGridHeight)}) {
    if (bad) return "invalid configuration: " + *bad;
  }
  return std::nullopt;
}

/// The message about a launch that the kernel itself excludes.
std::optional<std::string> undeclared(const LaunchContext& launch) {
  const ptx::Directives& declared = launch.kernel->source->directives;
  const Dim3& block = launch.block;
  if (declared.maxntid) {
    std::uint64_t limit = 1;
    for (const unsigned extent : *declared.maxntid) {
      limit *= std::min(extent, 1U << 20);  // cannot overflow
    }
    if (count_of(block) > limit) {
      return fmt::format("a block has {} threads; the kernel's launch bounds allow {}",
                         count_of(block), limit);
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

Dim3 declared_cluster(const FunctionCode& kernel) {
  const auto& declared = kernel.source->directives.reqnctapercluster;
  return declared ? Dim3{(*declared)[0], (*declared)[1], (*declared)[2]} : Dim3{1, 1, 1};
}

std::optional<device::Unsupported> exceeded_device_limit(const LaunchContext& launch,
                                                         const device::Limits& limits) {
  const std::uint64_t blocks = count_of(launch.grid);
  const SourcePlace place =
      source_place(*launch.program, *launch.kernel, launch.kernel->ops.front());
  if (blocks > limits.blocks) {
    return device::Unsupported{
        fmt::format("{} blocks", blocks),
        fmt::format("a launch on the virtual device has at most {} blocks", limits.blocks), "",
        place, UserOption::blocks};
  }
  const std::uint64_t lanes = (count_of(launch.block) + kLanes - 1) / kLanes * kLanes;
  const std::uint64_t local = 2 * lanes * launch.kernel->local_bytes * most_residents(launch);
  if (local > limits.memory_bytes) {
    return device::Unsupported{
        fmt::format("{} bytes of local memory per thread", launch.kernel->local_bytes),
        fmt::format(
            "with its shadow, the local memory of the resident blocks takes {} bytes of the "
            "host, the limit is {}",
            local, limits.memory_bytes),
        "", place, UserOption::memory};
  }
  return std::nullopt;
}

std::optional<ExceededLimit> exceeded_limit(const LaunchContext& launch) {
  using device::LaunchLimit;
  const device::GpuModel& gpu = gpu_of(launch);
  if (auto wrong = wrong_extent(launch.grid, launch.block)) {
    return ExceededLimit{LaunchLimit::extent, std::move(*wrong)};
  }
  const std::size_t shared = launch.kernel->shared_bytes + launch.dynamic_shared_bytes;
  if (auto most = over("the shared memory of a block in bytes", shared, gpu.block_shared)) {
    return ExceededLimit{LaunchLimit::shared_memory, std::move(*most)};
  }
  const std::uint64_t blocks = count_of(launch.grid);
  const std::uint64_t residents = std::uint64_t{gpu.multiprocessors} *
                                  device::resident_blocks(gpu, count_of(launch.block), shared);
  if (launch.kernel->cooperative && blocks > residents) {
    return ExceededLimit{
        LaunchLimit::residents,
        fmt::format("the kernel synchronises its grid of {} blocks; the architecture keeps {} of "
                    "them resident",
                    blocks, residents)};
  }
  if (auto wrong = wrong_cluster(launch, gpu)) {
    return ExceededLimit{LaunchLimit::cluster, std::move(*wrong)};
  }
  if (auto wrong = undeclared(launch)) {
    return ExceededLimit{LaunchLimit::declared, std::move(*wrong)};
  }
  return std::nullopt;
}

}  // namespace warpcheck::machine
