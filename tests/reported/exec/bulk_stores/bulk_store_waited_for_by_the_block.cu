// A wait for the writes of a bulk copy and a barrier order the reads of the block.
// build: -arch=sm_90 -lineinfo
// prints: 0 2 510
// prints not: error
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
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
  __threadfence();
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}
int main() {
  int *out, host[256];
  cudaMalloc(&out, sizeof(host));
  k<<<1, 256>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[1], host[255]);
}
