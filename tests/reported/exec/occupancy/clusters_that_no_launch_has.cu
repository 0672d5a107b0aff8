// Launches with clusters that no device accepts have no occupancy; the errors are those of an H200.
// exits: 1
// build: -arch=sm_90
// prints: grid of 960 and 7: 912 912
// prints: more than 8: 912 912
// prints: along y: 912 912
// prints: 0 blocks: 912 912
// prints: another than declared: 912 912
// prints: no threads: 1 1
// prints: no blocks: 1 1
// prints: error[api-misuse]: cudaOccupancyMaxActiveClusters: the grid is no multiple of the cluster
#include <cstdio>

__global__ void kernel(int* x) { x[threadIdx.x] += 1; }
__global__ void __cluster_dims__(4) declared(int* x) { x[threadIdx.x] += 1; }

void print(const char* name, void (*function)(int*), dim3 grid, int threads, dim3 cluster) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster.x, cluster.y, cluster.z};
  cudaLaunchConfig_t config = {grid, static_cast<unsigned>(threads), 0};
  config.attrs = &attribute;
  config.numAttrs = 1;
  int count;
  const int active = cudaOccupancyMaxActiveClusters(&count, function, &config);
  std::printf("%s: %d %d\n", name, active,
              cudaOccupancyMaxPotentialClusterSize(&count, function, &config));
}

int main() {
  print("grid of 960 and 7", kernel, 960, 128, 7);
  print("more than 8", kernel, 960, 128, 16);
  print("along y", kernel, dim3(3, 4, 2), 128, dim3(1, 3, 1));
  print("0 blocks", kernel, 960, 128, dim3(1, 0, 1));
  print("another than declared", declared, 960, 128, 2);
  print("no threads", kernel, 960, 0, 2);
  print("no blocks", kernel, 0, 128, 2);
}
