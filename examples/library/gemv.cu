/* warpcheck
[[operation]]
name    = "gemv"
extents = ["rows", "columns"]
inputs  = { a = { shape = ["rows", "columns"] }, x = { shape = ["columns"] } }
outputs = { y = { shape = ["rows"] } }

[[variant]]
name      = "gemv"
operation = "gemv"
kernel    = "gemv"
arguments = ["a", "stride_a", "x", "y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)"]

[[variant]]
name      = "gemv_without_last_column"
operation = "gemv"
kernel    = "gemv"
arguments = ["a", "stride_a", "x", "y", "rows", "columns - 1"]
block     = [64]
grid      = ["ceil_div(rows, 64)"]
requires  = ["columns >= 1"]
*/
__global__ void gemv(const float* a, int stride, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += a[static_cast<size_t>(row) * stride + j] * x[j];
  y[row] = sum;
}
