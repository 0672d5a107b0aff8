// A mean whose terms are divided before they are added.
// run: check FILE --device virtual --cases 200
/* warpcheck
[[operation]]
name    = "means"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j]) / columns"
[[variant]]
name      = "means"
operation = "means"
kernel    = "means"
arguments = ["x", "y", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
requires  = ["columns >= 1"]
*/
__global__ void means(const float* x, float* y, int rows, int columns) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= rows) return;
  const float share = 1.0f / columns;
  float mean = 0.0f;
  for (int j = 0; j < columns; ++j) mean += x[i * columns + j] * share;
  y[i] = mean;
}
