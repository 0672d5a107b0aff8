// A mean that is updated with each element is not exact where the sum is, and NaN where it is infinite.
// run: check FILE --device virtual --cases 400
/* warpcheck
[[operation]]
name    = "mean_of_rows"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j]) / columns"
[[variant]]
name      = "running_mean_alone"
operation = "mean_of_rows"
kernel    = "mean_of_rows"
arguments = ["x", "y", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
*/
__global__ void mean_of_rows(const float* x, float* y, int rows, int columns) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= rows) return;
  float mean = 0.0f;
  for (int j = 0; j < columns; ++j)
    mean += (x[static_cast<size_t>(i) * columns + j] - mean) / (j + 1);
  y[i] = columns > 0 ? mean : 0.0f / 0.0f;
}
