// Division of each row by its root mean square: one thread per row in f32, and one warp per row
// with rows in bf16.
/* warpcheck
[[operation]]
name    = "rms_norm"
extents = ["rows", "columns"]
inputs.x    = { shape = ["rows", "columns"] }
inputs.gain = { shape = ["columns"] }
outputs.y = { shape = ["rows", "columns"] }
define  = """
  squares[i] = sum(j: x[i,j] * x[i,j])
  y[i,j]     = x[i,j] * rsqrt(squares[i] / columns + 0.00001) * gain[j]
"""

[defaults]
operation = "rms_norm"
arguments = ["x", "stride_x", "gain", "y", "stride_y", "rows", "columns"]

[[variant]]
name   = "rms_norm_thread_per_row"
kernel = "rms_norm_thread_per_row"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "rms_norm_warp_per_row"
kernel = "rms_norm_warp_per_row"
types  = { x = "bf16", gain = "bf16", y = "bf16" }
block  = [32, 4]
grid   = ["ceil_div(rows, 4)"]
*/

#include <cuda_bf16.h>

__global__ void rms_norm_thread_per_row(const float* x, int stride_x, const float* gain, float* y,
                                        int stride_y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float squares = 0.0f;
  for (int j = 0; j < columns; ++j) squares += from[j] * from[j];
  const float factor = rsqrtf(squares / columns + 1e-5f);
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * stride_y + j] = from[j] * factor * gain[j];
  }
}

__global__ void rms_norm_warp_per_row(const __nv_bfloat16* x, int stride_x,
                                      const __nv_bfloat16* gain, __nv_bfloat16* y, int stride_y,
                                      int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const __nv_bfloat16* from = x + static_cast<size_t>(row) * stride_x;
  float squares = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = __bfloat162float(from[j]);
    squares += value * value;
  }
  for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
  const float factor = rsqrtf(squares / columns + 1e-5f);
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float scaled = __bfloat162float(from[j]) * factor * __bfloat162float(gain[j]);
    y[static_cast<size_t>(row) * stride_y + j] = __float2bfloat16(scaled);
  }
}
