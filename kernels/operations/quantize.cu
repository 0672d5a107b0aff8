// Rows in int8 with the scale of their largest magnitude: one thread per row, and one warp per row.
/* warpcheck
[[operation]]
name    = "quantize"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"], finite = true }
outputs.scale = { shape = ["rows"] }
outputs.y     = { shape = ["rows", "columns"] }
define  = """
  scale[i] = max(j: abs(x[i,j])) / 127
  y[i,j]   = round(x[i,j] / max(scale[i], 0.0000001))
"""

[defaults]
operation = "quantize"
arguments = ["x", "stride_x", "scale", "y", "stride_y", "rows", "columns"]
types     = { y = "s8" }

[[variant]]
name   = "quantize_thread_per_row"
kernel = "quantize_thread_per_row"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "quantize_warp_per_row"
kernel = "quantize_warp_per_row"
block  = [32, 4]
grid   = ["ceil_div(rows, 4)"]
*/

#include <math.h>

__device__ signed char quantized(float value, float scale) {
  return static_cast<signed char>(rintf(value / fmaxf(scale, 1e-7f)));
}

__global__ void quantize_thread_per_row(const float* x, int stride_x, float* scale, signed char* y,
                                        int stride_y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float most = 0.0f;
  for (int j = 0; j < columns; ++j) most = fmaxf(most, fabsf(from[j]));
  const float of_row = most / 127.0f;
  scale[row] = of_row;
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * stride_y + j] = quantized(from[j], of_row);
  }
}

__global__ void quantize_warp_per_row(const float* x, int stride_x, float* scale, signed char* y,
                                      int stride_y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float most = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) most = fmaxf(most, fabsf(from[j]));
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_down_sync(~0u, most, step));
  if (threadIdx.x == 0) scale[row] = most / 127.0f;
  const float of_row = __shfl_sync(~0u, most, 0) / 127.0f;
  for (int j = threadIdx.x; j < columns; j += 32) {
    y[static_cast<size_t>(row) * stride_y + j] = quantized(from[j], of_row);
  }
}
