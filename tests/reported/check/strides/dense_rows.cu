// The same, but the kernel stores a row as if its elements were adjacent.
// run: check FILE --device virtual --cases 150
// exits: 1
// prints: error[guard-overwritten]
/* warpcheck
[[operation]]
name    = "softmax_of_dense_rows"
extents = ["batch", "rows", "columns"]
inputs.x  = { shape = ["batch", "rows", "columns"] }
outputs.y = { shape = ["batch", "rows", "columns"] }
define  = """
  peak[b,i] = max(j: x[b,i,j])
  e[b,i,j]  = exp(x[b,i,j] - peak[b,i])
  y[b,i,j]  = e[b,i,j] / sum(k: e[b,i,k])
"""
[[variant]]
name      = "softmax_of_dense_rows"
operation = "softmax_of_dense_rows"
kernel    = "softmax_of_dense_rows"
arguments = ["x", "stride_x_0", "stride_x_1", "stride_x_2", "y", "stride_y_0", "stride_y_1",
             "stride_y_2", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)", "batch"]
requires  = ["batch <= 65535"]
*/
#include <math.h>

__global__ void softmax_of_dense_rows(const float* x, long long xb, long long xi, long long xj,
                                      float* y, long long yb, long long yi, long long yj, int rows,
                                      int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += blockIdx.y * xb + row * xi;
  y += blockIdx.y * yb + row * yi;
  float peak = -INFINITY;
  for (int j = 0; j < columns; ++j) peak = fmaxf(peak, x[j * xj]);
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) total += expf(x[j * xj] - peak);
  for (int j = 0; j < columns; ++j) y[j] = expf(x[j * xj] - peak) / total;  // finding here
}
