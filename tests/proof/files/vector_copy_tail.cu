// Copies n half values, eight at a time through 16-byte vectors, the last few one by one.
// Any n in 1 .. 2^30; src and dst are 16-byte aligned and do not overlap.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void vector_copy_kernel(const half* __restrict__ src, half* __restrict__ dst, int n) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  const int n_vec = n / 8;

  // vectorized body
  for (int i = idx; i < n_vec; i += blockDim.x * gridDim.x) {
    reinterpret_cast<uint4*>(dst)[i] = reinterpret_cast<const uint4*>(src)[i];
  }

  // scalar tail
  const int remainder = n % 4;
  if (idx < remainder) {
    dst[n_vec * 8 + idx] = src[n_vec * 8 + idx];
  }
}

void launch_vector_copy_tail(const half* src, half* dst, int n, cudaStream_t stream) {
  int blocks = (n / 8 + 255) / 256;
  if (blocks < 1) blocks = 1;
  if (blocks > 4096) blocks = 4096;
  vector_copy_kernel<<<blocks, 256, 0, stream>>>(src, dst, n);
}
