// Subnormal numbers are divided, not multiplied by an infinite reciprocal.
// run: check FILE --device virtual --cases 300
/* warpcheck
[[operation]]
name    = "normalize"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"], finite = true } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = """
  most[i] = max(j: abs(x[i,j]))
  y[i,j]  = select(most[i] == 0, 0, x[i,j] / most[i])
"""

[[variant]]
name      = "division_by_subnormal"
operation = "normalize"
kernel    = "division_by_subnormal"
arguments = ["x", "y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)"]
*/
#include <math.h>

__global__ void division_by_subnormal(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * columns;
  float most = 0.0f;
  for (int j = 0; j < columns; ++j) most = fmaxf(most, fabsf(from[j]));
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * columns + j] = most > 0.0f ? from[j] / most : 0.0f;
  }
}
