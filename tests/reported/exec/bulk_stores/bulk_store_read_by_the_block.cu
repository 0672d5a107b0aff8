// A wait for the reads of a bulk copy completes none of its writes, which the block then reads.
// build: -arch=sm_90 -lineinfo
// exits: 1
// prints: error[race]
#include <cstdio>
#include <cuda/barrier>
namespace cde = cuda::device::experimental;
__device__ alignas(128) int data[256];
__global__ void k(int* out) {
  alignas(16) __shared__ int tile[256];
  tile[threadIdx.x] = 2 * threadIdx.x;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(data, tile, sizeof(tile));
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
  __threadfence();
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];  // finding here
}
int main() {
  int *out, host[256];
  cudaMalloc(&out, sizeof(host));
  k<<<1, 256>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[1], host[255]);
}
