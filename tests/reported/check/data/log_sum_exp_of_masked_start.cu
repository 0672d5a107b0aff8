// An online log-sum-exp gives NaN for a row that starts with two elements of -infinity.
// exits: 1
// prints: error[wrong-result]
// prints: data=masked
/* warpcheck
[[operation]]
name    = "lse"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"], nan = false }
outputs.y = { shape = ["rows"] }
define  = """
  peak[i] = max(j: x[i,j])
  y[i]    = log(sum(j: exp(x[i,j] - peak[i]))) + peak[i]
"""
[[variant]]
name      = "lse"
operation = "lse"
kernel    = "lse"
arguments = ["x", "y", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
requires  = ["columns >= 2"]
*/
#include <math.h>
__global__ void lse(const float* x, float* y, int rows, int columns) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= rows) return;
  float peak = x[(size_t)i * columns], sum = 1;
  for (int j = 1; j < columns; ++j) {
    const float v = x[(size_t)i * columns + j], top = fmaxf(peak, v);
    sum = sum * expf(peak - top) + expf(v - top);
    peak = top;
  }
  y[i] = logf(sum) + peak;  // finding here
}
