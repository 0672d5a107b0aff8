#include "device/gpu_clusters.hpp"

#include <algorithm>
#include <vector>

namespace warpcheck::device {
namespace {

/// The multiprocessors of each GPC, which run the blocks of a cluster. GPUs of one model differ in
/// them: those of compute capability 9.0 are as one H200 reports, where further multiprocessors
/// hold clusters of at most two blocks; of other models, nothing is recorded, and each GPC has 16.
std::vector<unsigned> gpcs_of(const GpuModel& gpu) {
  constexpr unsigned kUsual = 16;
  if (gpu.capability == 90 && gpu.multiprocessors == 132) return {18, 18, 16, 16, 16, 16, 16, 8};
  std::vector<unsigned> gpcs(gpu.multiprocessors / kUsual, kUsual);
  gpcs.push_back(gpu.multiprocessors % kUsual);
  return gpcs;
}

}  // namespace

unsigned resident_clusters(const GpuModel& gpu, unsigned blocks, unsigned cluster) {
  constexpr unsigned kMostBlocks = 8;  // blocks of clusters on a multiprocessor, as an H200 reports
  const unsigned blocks_per_multiprocessor = std::min(blocks, kMostBlocks);
  if (cluster <= 2) return gpu.multiprocessors * blocks_per_multiprocessor / cluster;
  unsigned clusters = 0;
  for (const unsigned multiprocessors : gpcs_of(gpu)) {
    if (multiprocessors >= cluster)
      clusters += multiprocessors * blocks_per_multiprocessor / cluster;
  }
  return clusters;
}

}  // namespace warpcheck::device
