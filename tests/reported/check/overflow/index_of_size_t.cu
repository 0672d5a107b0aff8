// An index of 64 bits reaches every row: correct.
// prints not: overflows
/* warpcheck
[[operation]]
name    = "op"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "index_of_size_t"
operation = "op"
kernel    = "k"
arguments = ["x", "stride_x", "y", "columns"]
block     = [1]
grid      = ["rows"]
*/
__global__ void k(const float* x, size_t stride, float* y, int columns) {
  float sum = 0;
  for (int j = 0; j < columns; ++j) sum += x[(size_t)blockIdx.x * stride + j];
  y[blockIdx.x] = sum;
}
