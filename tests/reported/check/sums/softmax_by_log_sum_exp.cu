// The logarithm of the sum is added to the peak, which rounds it.
// run: check FILE --device virtual --cases 400
/* warpcheck
[[operation]]
name    = "softmax_of_rows"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows", "columns"] }
define  = """
  peak[i]  = max(j: x[i,j])
  total[i] = sum(j: exp(x[i,j] - peak[i]))
  y[i,j]   = exp(x[i,j] - peak[i]) / total[i]
"""
[[variant]]
name      = "softmax_by_log_sum_exp"
operation = "softmax_of_rows"
kernel    = "softmax_of_rows"
arguments = ["x", "y", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
*/
__global__ void softmax_of_rows(const float* x, float* y, int rows, int columns) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= rows) return;
  x += static_cast<size_t>(i) * columns;
  y += static_cast<size_t>(i) * columns;
  float peak = -INFINITY;
  for (int j = 0; j < columns; ++j) peak = fmaxf(peak, x[j]);
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) total += expf(x[j] - peak);
  const float log_sum = peak + logf(total);
  for (int j = 0; j < columns; ++j) y[j] = expf(x[j] - log_sum);
}
