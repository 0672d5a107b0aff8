#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/grid/grid.hpp"

namespace warpcheck::machine {
namespace {

/// By compute capability (CUDA C++ Programming Guide, "Compute Capabilities"), and the number of
/// multiprocessors of the largest GPU that has it.
struct Architecture {
  int capability;
  std::size_t block_shared;  // largest shared memory of a block, opt-in included, in bytes
  std::size_t shared;        // of a multiprocessor, in bytes
  unsigned threads;          // of a multiprocessor
  unsigned blocks;
  unsigned multiprocessors;
};
constexpr std::array kArchitectures = {
    Architecture{0, 48 << 10, 96 << 10, 1024, 16, 16},
    Architecture{70, 96 << 10, 96 << 10, 2048, 32, 80},
    Architecture{75, 64 << 10, 64 << 10, 1024, 16, 72},
    Architecture{80, 163 << 10, 164 << 10, 2048, 32, 108},
    Architecture{86, 99 << 10, 100 << 10, 1536, 16, 84},
    Architecture{87, 163 << 10, 164 << 10, 1536, 16, 16},
    Architecture{89, 99 << 10, 100 << 10, 1536, 24, 142},
    Architecture{90, 227 << 10, 228 << 10, 2048, 32, 132},
    Architecture{100, 227 << 10, 228 << 10, 2048, 32, 148},
};
constexpr std::size_t kReservedShared = 1 << 10;  // by the system for each block, in bytes

const Architecture& architecture_of(const std::string& target) {
  const int capability = std::atoi(target.c_str() + std::string_view("sm_").size());
  const Architecture* found = &kArchitectures.front();
  for (const Architecture& row : kArchitectures) {
    if (row.capability <= capability) found = &row;
  }
  return *found;
}

/// The number of blocks that can be resident together, as limited by threads and shared memory.
std::uint64_t residents_of(const Architecture& architecture, std::uint64_t threads,
                           std::size_t shared) {
  const std::uint64_t rounded = (threads + kLanes - 1) / kLanes * kLanes;
  return architecture.multiprocessors *
         std::min({std::uint64_t{architecture.blocks}, architecture.threads / rounded,
                   std::uint64_t{architecture.shared / (shared + kReservedShared)}});
}

/// The message about clusters that the architecture cannot launch.
std::optional<std::string> wrong_cluster(const LaunchContext& launch,
                                         const Architecture& architecture) {
  constexpr std::uint32_t kMostBlocks = 16;  // more than 8 need cudaFuncSetAttribute
  const Dim3& size = launch.cluster;
  const std::uint32_t blocks = blocks_of_cluster(launch);
  if (blocks == 1) return std::nullopt;
  const std::string cluster =
      fmt::format("clusters of {} x {} x {} blocks", size.x, size.y, size.z);
  if (architecture.capability < 90) return cluster + " need compute capability 9.0";
  if (blocks == 0 || blocks > kMostBlocks) {
    return fmt::format("{}; the architecture allows 1 to {}", cluster, kMostBlocks);
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

/// The message about the first limit that the launch exceeds.
std::optional<std::string> exceeded(const LaunchContext& launch) {
  const auto over = [](std::string_view what, std::uint64_t found,
                       std::uint64_t limit) -> std::optional<std::string> {
    if (found <= limit) return std::nullopt;
    return fmt::format("{} is {}; the architecture allows {}", what, found, limit);
  };
  const Architecture& architecture = architecture_of(launch.program->module.target);
  const std::size_t shared = launch.kernel->shared_bytes + launch.dynamic_shared_bytes;
  const Dim3& block = launch.block;
  const Dim3& grid = launch.grid;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || std::uint64_t{grid.x} * grid.y * grid.z == 0) {
    return fmt::format(
        "invalid configuration: the launch is empty: grid {} x {} x {}, block {} x {} x {}", grid.x,
        grid.y, grid.z, block.x, block.y, block.z);
  }
  for (const auto& bad : {over("the number of threads of a block", threads, 1024),
                          over("blockDim.x", block.x, 1024), over("blockDim.y", block.y, 1024),
                          over("blockDim.z", block.z, 64), over("gridDim.x", grid.x, 0x7fffffff),
                          over("gridDim.y", grid.y, 65535), over("gridDim.z", grid.z, 65535)}) {
    if (bad) return "invalid configuration: " + *bad;
  }
  auto too_much = over("the shared memory of a block in bytes", shared, architecture.block_shared);
  if (too_much) return too_much;
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const std::uint64_t residents = residents_of(architecture, threads, shared);
  if (launch.kernel->cooperative && blocks > residents) {
    return fmt::format(
        "the kernel synchronises its grid of {} blocks; the architecture keeps {} of them resident",
        blocks, residents);
  }
  const ptx::Directives& declared = launch.kernel->source->directives;
  if (auto wrong = wrong_cluster(launch, architecture)) return wrong;
  if (declared.maxntid) {
    const auto& most = *declared.maxntid;
    std::uint64_t limit = 1;
    for (const unsigned extent : most) limit *= std::min(extent, 1U << 20);  // cannot overflow
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

Dim3 declared_cluster(const FunctionCode& kernel) {
  const auto& declared = kernel.source->directives.reqnctapercluster;
  return declared ? Dim3{(*declared)[0], (*declared)[1], (*declared)[2]} : Dim3{1, 1, 1};
}

std::optional<device::Unsupported> exceeded_device_limit(const LaunchContext& launch,
                                                         const device::Limits& limits) {
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const SourcePlace place =
      source_place(*launch.program, *launch.kernel, launch.kernel->ops.front());
  if (blocks > limits.blocks) {
    return device::Unsupported{
        fmt::format("{} blocks", blocks),
        fmt::format("a launch on the virtual device has at most {} blocks; `--limit blocks=N` "
                    "changes it",
                    limits.blocks),
        "", place};
  }
  const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  const std::uint64_t lanes = (threads + kLanes - 1) / kLanes * kLanes;
  const std::uint64_t local = 2 * lanes * launch.kernel->local_bytes * most_residents(launch);
  if (local > limits.memory_bytes) {
    return device::Unsupported{
        fmt::format("{} bytes of local memory per thread", launch.kernel->local_bytes),
        fmt::format(
            "with its shadow, the local memory of the resident blocks takes {} bytes of the "
            "host, the limit is {}; `--limit memory=N` changes it",
            local, limits.memory_bytes),
        "", place};
  }
  return std::nullopt;
}

std::optional<Finding> exceeded_limit(const LaunchContext& launch) {
  std::optional<std::string> message = exceeded(launch);
  if (!message) return std::nullopt;
  Finding finding;
  finding.kind = FindingClass::launch_failure;
  finding.message = std::move(*message);
  return finding;
}

}  // namespace warpcheck::machine
