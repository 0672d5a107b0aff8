// A kernel multiplies the factor with the sum, and the definition the other way.
// run: check FILE --device virtual --cases 200
/* warpcheck
[[operation]]
name    = "scaled_sums"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
scalars = ["scale"]
define  = "y[i] = sum(j: scale * x[i,j])"
[[variant]]
name      = "scaled_sums"
operation = "scaled_sums"
kernel    = "scaled_sums"
arguments = ["x", "y", "scale", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
*/
__global__ void scaled_sums(const float* x, float* y, float scale, int rows, int columns) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= rows) return;
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) total += x[i * columns + j];
  y[i] = scale * total;
}
