// Sum, largest element and its position, of each row: one thread per row, and one warp per row.
/* warpcheck
[[operation]]
name    = "reduction"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"] }
outputs.total = { shape = ["rows"] }
outputs.peak  = { shape = ["rows"] }
outputs.at    = { shape = ["rows"], integer = true }
define  = """
  total[i] = sum(j: x[i,j])
  peak[i]  = max(j: x[i,j])
  at[i]    = argmax(j: x[i,j])
"""

[defaults]
operation = "reduction"
arguments = ["x", "stride_x", "total", "peak", "at", "rows", "columns"]

[[variant]]
name   = "reduction_thread_per_row"
kernel = "reduction_thread_per_row"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "reduction_warp_per_row"
kernel = "reduction_warp_per_row"
block  = [32, 4]
grid   = ["ceil_div(rows, 4)"]
*/

#include <math.h>

__global__ void reduction_thread_per_row(const float* x, int stride, float* total, float* peak,
                                         int* at, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  float most = -INFINITY;
  int place = 0;
  for (int j = 0; j < columns; ++j) {
    const float value = x[static_cast<size_t>(row) * stride + j];
    sum += value;
    if (value > most || j == 0) {
      most = value;
      place = j;
    }
  }
  total[row] = sum;
  peak[row] = most;
  at[row] = place;
}

__global__ void reduction_warp_per_row(const float* x, int stride, float* total, float* peak,
                                       int* at, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.0f;
  float most = -INFINITY;
  int place = columns;
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = x[static_cast<size_t>(row) * stride + j];
    sum += value;
    if (value > most || place == columns) {
      most = value;
      place = j;
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(~0u, sum, step);
    const float other = __shfl_down_sync(~0u, most, step);
    const int other_place = __shfl_down_sync(~0u, place, step);
    if (other > most || (other == most && other_place < place)) {
      most = other;
      place = other_place;
    }
  }
  if (threadIdx.x == 0) {
    total[row] = sum;
    peak[row] = most;
    at[row] = place;
  }
}
