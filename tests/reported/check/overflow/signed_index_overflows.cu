// A 32-bit signed index wraps, so that the address is before the matrix.
// exits: 1
// prints: error[out-of-bounds]
// prints: help: a 32-bit signed index overflows at line 22:
/* warpcheck
[[operation]]
name    = "op"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "signed_index_overflows"
operation = "op"
kernel    = "k"
arguments = ["x", "stride_x", "y", "columns"]
block     = [1]
grid      = ["rows"]
*/
__global__ void k(const float* x, int stride, float* y, int columns) {
  float sum = 0;
  for (int j = 0; j < columns; ++j) sum += x[(int)blockIdx.x * stride + j];
  y[blockIdx.x] = sum;
}
