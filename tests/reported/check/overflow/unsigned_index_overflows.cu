// A 32-bit unsigned index wraps, so that a row beyond 4 GiB is read at a wrong place.
// exits: 1
// prints: help: a 32-bit unsigned index overflows at line 21:
/* warpcheck
[[operation]]
name    = "op"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "unsigned_index_overflows"
operation = "op"
kernel    = "k"
arguments = ["x", "stride_x", "y", "columns"]
block     = [1]
grid      = ["rows"]
*/
__global__ void k(const float* x, unsigned stride, float* y, int columns) {
  float sum = 0;
  for (int j = 0; j < columns; ++j) sum += x[blockIdx.x * stride + j];
  y[blockIdx.x] = sum;
}
