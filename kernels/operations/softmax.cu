// Softmax of each row: three passes of one thread, and one pass of a warp that rescales its sum
// whenever it meets a larger element.
/* warpcheck
[[operation]]
name    = "softmax"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows", "columns"] }
scalars = ["scale"]
define  = """
  peak[i]  = max(j: scale * x[i,j])
  total[i] = sum(j: exp(scale * x[i,j] - peak[i]))
  y[i,j]   = exp(scale * x[i,j] - peak[i]) / total[i]
"""

[defaults]
operation = "softmax"
arguments = ["x", "stride_x", "y", "stride_y", "scale", "rows", "columns"]

[[variant]]
name   = "softmax_three_passes"
kernel = "softmax_three_passes"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "softmax_online"
kernel = "softmax_online"
block  = [32, 4]
grid   = ["ceil_div(rows, 4)"]
*/

#include <math.h>

__global__ void softmax_three_passes(const float* x, int stride_x, float* y, int stride_y,
                                     float scale, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float* to = y + static_cast<size_t>(row) * stride_y;
  float peak = -INFINITY;
  for (int j = 0; j < columns; ++j) peak = fmaxf(peak, scale * from[j]);
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) total += expf(scale * from[j] - peak);
  for (int j = 0; j < columns; ++j) to[j] = expf(scale * from[j] - peak) / total;
}

/// Joins the sums of two parts of a row. A NaN among them makes the sum NaN.
__device__ void join(float& peak, float& total, float other_peak, float other_total) {
  if (other_peak == -INFINITY) return;
  const float most = other_peak <= peak ? peak : other_peak;
  total = total * expf(peak - most) + other_total * expf(other_peak - most);
  peak = most;
}

__global__ void softmax_online(const float* x, int stride_x, float* y, int stride_y, float scale,
                               int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float* to = y + static_cast<size_t>(row) * stride_y;
  float peak = -INFINITY;
  float total = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) join(peak, total, scale * from[j], 1.0f);
  for (int step = 16; step > 0; step /= 2) {
    const float other_peak = __shfl_xor_sync(~0u, peak, step);
    const float other_total = __shfl_xor_sync(~0u, total, step);
    join(peak, total, other_peak, other_total);
  }
  for (int j = threadIdx.x; j < columns; j += 32) to[j] = expf(scale * from[j] - peak) / total;
}
