// The numbers of clusters that an H200 holds, by the blocks of a cluster: 1, 2, 3, 4, 5, 6, 8, 10, 12
// and 16, the last three of which the kernel allows.
// exits: 0
// build: -arch=sm_90
// prints: 32 threads, 0 bytes: 1056 528 327 248 193 163 124 88 74 58, largest 16
// prints: 1024 threads, 0 bytes: 264 132 79 62 47 39 30 21 16 14, largest 16
// prints: 128 threads, 100000 bytes: 264 132 79 62 47 39 30 21 16 14, largest 16
// prints: 128 threads, 232448 bytes: 132 66 39 30 22 17 15 7 7 7, largest 16
// prints: 128 threads, 240000 bytes: 0 0 0 0 0 0 0 0 0 0, largest 0
// prints: without attribute: 0 16
// prints: declared: 248 8
// prints: 0 findings
#include <cstdio>

__global__ void kernel(int* x) { x[threadIdx.x] += 1; }
__global__ void __cluster_dims__(4) declared(int* x) { x[threadIdx.x] += 1; }

void print(int threads, int bytes) {
  std::printf("%d threads, %d bytes:", threads, bytes);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config = {960, static_cast<unsigned>(threads), static_cast<size_t>(bytes)};
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (bytes <= 232448) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  }
  cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  for (const unsigned blocks : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16}) {
    attribute.val.clusterDim = {blocks, 1, 1};
    int clusters = -1;
    cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    std::printf(" %d", clusters);
  }
  int largest = -1;
  cudaOccupancyMaxPotentialClusterSize(&largest, kernel, &config);
  std::printf(", largest %d\n", largest);
}

int main() {
  print(32, 0);
  print(1024, 0);
  print(128, 100000);
  print(128, 232448);
  print(128, 240000);
  const cudaLaunchConfig_t config = {960, 128, 0};
  int clusters = -1, largest = -1;
  cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
  cudaOccupancyMaxPotentialClusterSize(&largest, kernel, &config);
  std::printf("without attribute: %d %d\n", clusters, largest);
  cudaOccupancyMaxActiveClusters(&clusters, declared, &config);
  cudaOccupancyMaxPotentialClusterSize(&largest, declared, &config);
  std::printf("declared: %d %d\n", clusters, largest);
}
