// Quantization of each row to e4m3 with a scale of its own: one thread per row, and one block per
// row.
/* warpcheck
[[operation]]
name    = "quantize_e4m3"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"], finite = true }
outputs.scale = { shape = ["rows"] }
outputs.y     = { shape = ["rows", "columns"] }
define  = """
  scale[i] = max(j: abs(x[i,j])) / 448
  y[i,j]   = x[i,j] / max(scale[i], 0.0000001)
"""

[defaults]
operation = "quantize_e4m3"
arguments = ["x", "stride_x", "scale", "y", "stride_y", "rows", "columns"]
types        = { y = "e4m3" }
architecture = "sm_89"

[[variant]]
name   = "quantize_e4m3_thread_per_row"
kernel = "quantize_e4m3_thread_per_row"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "quantize_e4m3_block_per_row"
kernel = "quantize_e4m3_block_per_row"
block  = [128]
grid   = ["rows"]
*/

#include <cuda_fp8.h>
#include <math.h>

__device__ __nv_fp8_e4m3 quantized(float value, float scale) {
  return static_cast<__nv_fp8_e4m3>(value / fmaxf(scale, 1e-7f));
}

__global__ void quantize_e4m3_thread_per_row(const float* x, int stride_x, float* scale,
                                             __nv_fp8_e4m3* y, int stride_y, int rows,
                                             int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float most = 0.0f;
  for (int j = 0; j < columns; ++j) most = fmaxf(most, fabsf(from[j]));
  const float of_row = most / 448.0f;
  scale[row] = of_row;
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * stride_y + j] = quantized(from[j], of_row);
  }
}

__global__ void quantize_e4m3_block_per_row(const float* x, int stride_x, float* scale,
                                            __nv_fp8_e4m3* y, int stride_y, int rows, int columns) {
  __shared__ float most_of_warp[4];
  const size_t row = blockIdx.x;
  const float* from = x + row * stride_x;
  float most = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 128) most = fmaxf(most, fabsf(from[j]));
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_down_sync(~0u, most, step));
  if (threadIdx.x % 32 == 0) most_of_warp[threadIdx.x / 32] = most;
  __syncthreads();
  for (int i = 0; i < 4; ++i) most = fmaxf(most, most_of_warp[i]);
  const float of_row = most / 448.0f;
  if (threadIdx.x == 0) scale[row] = of_row;
  for (int j = threadIdx.x; j < columns; j += 128)
    y[row * stride_y + j] = quantized(from[j], of_row);
}
