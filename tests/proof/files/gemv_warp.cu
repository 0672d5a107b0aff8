// y = W x, W[rows, cols] in half, x in half, y in float: one warp per row, half2 loads.
// cols is even (2 <= cols <= 2^30), W and x are 4-byte aligned, 1 <= rows <= 2^30.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int WARPS_PER_BLOCK = 4;

__global__ void gemv_warp_kernel(const __half* __restrict__ W, const __half* __restrict__ x,
                                 float* __restrict__ y, int rows, int cols) {
  const int warp_id = threadIdx.x >> 5;
  const int lane = threadIdx.x & 31;
  const int row = blockIdx.x * WARPS_PER_BLOCK + warp_id;
  if (row >= rows) return;

  const __half2* w2 = reinterpret_cast<const __half2*>(W + static_cast<long long>(row) * cols);
  const __half2* x2 = reinterpret_cast<const __half2*>(x);

  float sum = 0.f;
#pragma unroll 4
  for (int j = lane; j < cols / 2; j += 32) {
    const float2 a = __half22float2(w2[j]);
    const float2 b = __half22float2(x2[j]);
    sum = fmaf(a.x, b.x, sum);
    sum = fmaf(a.y, b.y, sum);
  }

#pragma unroll
  for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (lane == 0) y[row] = sum;
}

void launch_gemv_warp(const __half* W, const __half* x, float* y, int rows, int cols,
                      cudaStream_t stream) {
  const int grid = (rows + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK;
  gemv_warp_kernel<<<grid, WARPS_PER_BLOCK * 32, 0, stream>>>(W, x, y, rows, cols);
}
