// A kernel adds the terms of a total, which an earlier statement defines, to c one by one.
// run: check FILE --device virtual --cases 200
/* warpcheck
[[operation]]
name    = "row_sums"
extents = ["n", "columns"]
inputs.x  = { shape = ["n", "columns"] }
inputs.c  = { shape = ["n"] }
outputs.y = { shape = ["n"], updates = "c" }
define  = """
  total[i] = sum(j: x[i,j])
  y[i]     = c[i] + total[i]
"""
[[variant]]
name      = "row_sums"
operation = "row_sums"
kernel    = "add_rows"
arguments = ["x", "y", "columns"]
block     = [32]
grid      = ["n"]
deterministic = false
*/
__global__ void add_rows(const float* x, float* y, int columns) {
  for (int j = threadIdx.x; j < columns; j += 32)
    atomicAdd(&y[blockIdx.x], x[blockIdx.x * columns + j]);
}
