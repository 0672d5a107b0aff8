// A row is read one element too far: the element is described in that row, not as the next row.
// exits: 1
// prints: error[out-of-bounds]
// prints: x[0, 1]: column 1 of 1 column
/* warpcheck
[[operation]]
name    = "op"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "read_past_the_end_of_a_row"
operation = "op"
kernel    = "k"
arguments = ["x", "stride_x", "y", "columns"]
block     = [1]
grid      = ["rows"]
*/
__global__ void k(const float* x, size_t stride, float* y, int columns) {
  float sum = 0;
  for (int j = 0; j <= columns; ++j) sum += x[blockIdx.x * stride + j];  // finding here
  y[blockIdx.x] = sum;
}
