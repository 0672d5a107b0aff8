// An index of 64 bits is stored to a variable of 32 bits.
// exits: 1
// prints: help: a 32-bit unsigned index overflows at line 2
/* warpcheck
[[operation]]
name    = "op"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "index_narrowed_to_32_bits"
operation = "op"
kernel    = "k"
arguments = ["x", "stride_x", "y", "columns"]
block     = [1]
grid      = ["rows"]
*/
__global__ void k(const float* x, unsigned stride, float* y, int columns) {
  float sum = 0;
  const size_t begin = (size_t)blockIdx.x * stride;
  const unsigned row = begin;
  for (int j = 0; j < columns; ++j) sum += x[row + j];
  y[blockIdx.x] = sum;
}
