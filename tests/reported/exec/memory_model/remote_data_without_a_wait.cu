// The data of another block of the cluster are read without waiting for its arrival.
// exits: 1
// build: -arch=sm_90
// prints: error[race]
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ std::uint32_t address_of(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

__global__ void __cluster_dims__(2) exchange(int* y) {
  __shared__ int data[32];
  __shared__ std::uint64_t arrived;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(address_of(&arrived)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  if (cluster.block_rank() == 0) {
    cluster.map_shared_rank(data, 1)[threadIdx.x] = threadIdx.x + 1;
    asm volatile(
        "{ .reg .b32 remote; mapa.shared::cluster.u32 remote, %0, 1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote]; }" ::"r"(
            address_of(&arrived))
        : "memory");
  } else {
    y[threadIdx.x] = data[31 - threadIdx.x];  // finding here
  }
  cluster.sync();
}

int main() {
  int *y, host[32];
  cudaMalloc(&y, sizeof host);
  exchange<<<2, 32>>>(y);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDefault);
  std::printf("%d %d %d\n", host[31], host[30], host[0]);
}
