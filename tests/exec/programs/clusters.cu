// The blocks of a cluster share a histogram: each counts numbers into the shared memory of the
// block that owns the bin. With DEFECT, a block may end while others still read its bins.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

#include "timing.hpp"

namespace cg = cooperative_groups;

constexpr int kBins = 64;  // bins per block

__global__ void count(const int* numbers, int n, int* totals) {
  __shared__ int bins[kBins];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  for (int i = cluster.block_rank() * blockDim.x + threadIdx.x; i < n;
       i += cluster.num_blocks() * blockDim.x) {
    int* const owner = cluster.map_shared_rank(bins, numbers[i] / kBins);
    atomicAdd(&owner[numbers[i] % kBins], 1);
  }
  cluster.sync();
  if (threadIdx.x < kBins) {
    const int next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int* const bin = cluster.map_shared_rank(bins, next);
    totals[next * kBins + threadIdx.x] = bin[threadIdx.x];  // finding here
  }
#ifndef DEFECT
  cluster.sync();
#endif
}

int main() {
  const Timing timing;
  constexpr int n = 2000;
  constexpr int blocks = 4;
  std::vector<int> numbers(n);
  std::vector<int> expected(blocks * kBins);
  for (int i = 0; i < n; ++i) ++expected[numbers[i] = i * i % (blocks * kBins)];
  int *device, *totals;
  cudaMalloc(&device, n * sizeof(int));
  cudaMalloc(&totals, expected.size() * sizeof(int));
  cudaMemcpy(device, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = 128;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, count, static_cast<const int*>(device), n, totals);
  std::vector<int> found(expected.size());
  cudaMemcpy(found.data(), totals, found.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  cudaFree(totals);
  if (found != expected) return 7;
  std::puts("correct");
}
