// Inclusive prefix sum: scan each block of 512 elements, scan the block sums, add them back.
// 1 <= n <= 512 * 512 = 262144; block_sums is scratch for 512 floats.
#include <cuda_runtime.h>

#define SCAN_BLOCK 512

__global__ void scan_block_kernel(float* out, const float* in, float* block_sums, int n) {
  extern __shared__ float temp[];  // 2 * blockDim.x floats, ping-pong
  int thid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + thid;
  int pout = 0, pin = 1;

  temp[thid] = gid < n ? in[gid] : 0.0f;
  __syncthreads();

  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * blockDim.x + thid] =
          temp[pin * blockDim.x + thid] + temp[pin * blockDim.x + thid - offset];
    else
      temp[pout * blockDim.x + thid] = temp[pin * blockDim.x + thid];
    __syncthreads();
  }

  float result = temp[pout * blockDim.x + thid];
  if (gid < n) out[gid] = result;
  if (block_sums != NULL && thid == blockDim.x - 1) block_sums[blockIdx.x] = result;
}

__global__ void add_block_sums_kernel(float* out, const float* block_sums, int n) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0 || gid >= n) return;
  out[gid] += block_sums[blockIdx.x - 1];
}

void launch_scan_block(float* out, const float* in, float* block_sums, int n) {
  int blocks = (n + SCAN_BLOCK - 1) / SCAN_BLOCK;
  size_t smem = 2 * SCAN_BLOCK * sizeof(float);
  scan_block_kernel<<<blocks, SCAN_BLOCK, smem>>>(out, in, block_sums, n);
  if (blocks > 1) {
    scan_block_kernel<<<1, SCAN_BLOCK, smem>>>(block_sums, block_sums, NULL, blocks);
    add_block_sums_kernel<<<blocks, SCAN_BLOCK>>>(out, block_sums, n);
  }
}
