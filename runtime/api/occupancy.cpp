// Occupancy: blocks and clusters that are resident together.
#include <fmt/format.h>

#include <algorithm>

#include "device/gpu_clusters.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck;
using namespace warpcheck::runtime;

namespace {

/// The blocks of a launch that are resident on a multiprocessor together.
unsigned resident_blocks(const Runtime& runtime, const Kernel& kernel, const LaunchWork& work) {
  if (work.shared_bytes > kernel.most_dynamic_shared) return 0;
  const std::uint64_t threads = std::uint64_t{work.block.x} * work.block.y * work.block.z;
  return device::resident_blocks(runtime.gpu(), threads,
                                 kernel.info.static_shared_bytes + work.shared_bytes);
}

/// The clusters of a launch; empty: it has none.
std::optional<Dim3> cluster_of(const Kernel& kernel, const LaunchWork& work) {
  return work.cluster ? work.cluster : kernel.cluster;
}

unsigned largest_allowed(const Kernel& kernel) {
  return kernel.large_clusters ? device::kMostCluster : device::kMostPortableCluster;
}

/// The error of a launch that no device accepts.
cudaError_t check_clusters(Runtime& runtime, const char* function, const Kernel& kernel,
                           const LaunchWork& work) {
  if (runtime.gpu().capability < 90) {
    return runtime.unsupported(function, "the device has no clusters");
  }
  const auto refuse = [&](cudaError_t error, std::string_view reason) {
    return runtime.misuse(error, fmt::format("{}: {}", function, reason));
  };
  const auto is_empty = [](const dim3& extent) { return extent.x * extent.y * extent.z == 0; };
  if (is_empty(work.grid)) return refuse(cudaErrorInvalidValue, "the grid is empty");
  if (is_empty(work.block)) return refuse(cudaErrorInvalidValue, "the block is empty");
  const Dim3 size = cluster_of(kernel, work).value_or(Dim3{1, 1, 1});
  const std::uint64_t blocks = std::uint64_t{size.x} * size.y * size.z;
  constexpr cudaError_t kWrongSize = cudaErrorInvalidClusterSize;
  if (kernel.cluster && size != *kernel.cluster) {
    return refuse(kWrongSize, "the kernel requires clusters of another size");
  }
  if (blocks == 0 || blocks > largest_allowed(kernel)) {
    return refuse(kWrongSize, fmt::format("a cluster of {} blocks; {} allows 1 to {}", blocks,
                                          kernel.info.entry, largest_allowed(kernel)));
  }
  if (work.grid.x % size.x != 0 || work.grid.y % size.y != 0 || work.grid.z % size.z != 0) {
    return refuse(kWrongSize, "the grid is no multiple of the cluster");
  }
  return cudaSuccess;
}

/// Calls body(runtime, work) with the launch of a configuration.
template <typename Body>
cudaError_t with_config(const char* function, const void* host, const cudaLaunchConfig_t* config,
                        Body body) {
  return api_call([&](Runtime& runtime) {
    LaunchWork work;
    work.host = host;
    const cudaError_t error = read_config(runtime, function, *config, work);
    return error == cudaSuccess ? body(runtime, work) : error;
  });
}

}  // namespace

cudaError_t runtime::count_clusters(Runtime& runtime, const char* function, const LaunchWork& work,
                                    int& clusters) {
  const Kernel* const kernel = runtime.binaries().kernel(work.host);
  if (kernel == nullptr) return unknown_kernel(runtime, function);
  if (const auto error = check_clusters(runtime, function, *kernel, work)) return error;
  clusters = 0;  // also without clusters, like an H200
  if (const std::optional<Dim3> size = cluster_of(*kernel, work)) {
    clusters = static_cast<int>(device::resident_clusters(
        runtime.gpu(), resident_blocks(runtime, *kernel, work), size->x * size->y * size->z));
  }
  return cudaSuccess;
}

cudaError_t runtime::find_largest_cluster(Runtime& runtime, const char* function,
                                          const LaunchWork& work, int& blocks) {
  const Kernel* const kernel = runtime.binaries().kernel(work.host);
  if (kernel == nullptr) return unknown_kernel(runtime, function);
  if (const auto error = check_clusters(runtime, function, *kernel, work)) return error;
  const unsigned resident = resident_blocks(runtime, *kernel, work);
  unsigned size = largest_allowed(*kernel);
  while (size > 0 && device::resident_clusters(runtime.gpu(), resident, size) == 0) size /= 2;
  blocks = static_cast<int>(size);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  constexpr const char* kFunction = "cudaOccupancyMaxActiveClusters";
  return with_config(kFunction, function, config, [&](Runtime& runtime, const LaunchWork& work) {
    return count_clusters(runtime, kFunction, work, *clusters);
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  constexpr const char* kFunction = "cudaOccupancyMaxPotentialClusterSize";
  return with_config(kFunction, function, config, [&](Runtime& runtime, const LaunchWork& work) {
    return find_largest_cluster(runtime, kFunction, work, *blocks);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned) {
  return api_call([&](Runtime& runtime) {
    const Kernel* const kernel = runtime.binaries().kernel(function);
    if (kernel == nullptr) {
      return unknown_kernel(runtime, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    }
    *blocks = threads <= 0 ? 0
                           : static_cast<int>(device::resident_blocks(
                                 runtime.gpu(), static_cast<unsigned>(threads),
                                 kernel->info.static_shared_bytes + shared_bytes));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                shared_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int) {
  return api_call([&](Runtime& runtime) {
    const Kernel* const kernel = runtime.binaries().kernel(function);
    if (kernel == nullptr) {
      return unknown_kernel(runtime, "cudaOccupancyAvailableDynamicSMemPerBlock");
    }
    const std::size_t share = runtime.gpu().shared / static_cast<std::size_t>(std::max(blocks, 1));
    const std::size_t used = kernel->info.static_shared_bytes + device::kReservedBlockShared;
    *bytes = share > used ? std::min(share - used, runtime.gpu().block_shared) : 0;
    return cudaSuccess;
  });
}
