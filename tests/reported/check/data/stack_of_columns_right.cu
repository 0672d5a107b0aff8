// A stack with a place for each column holds a row in descending order.
// run: check FILE --device virtual --cases 300
/* warpcheck
[[operation]]
name    = "next_larger"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"], finite = true } }
outputs = { next = { shape = ["rows", "columns"] } }
define  = "next[i,j] = min(k: select(k > j and x[i,k] > x[i,j], k, columns))"

[[variant]]
name      = "stack_of_64"
operation = "next_larger"
kernel    = "stack_of_64"
arguments = ["x", "next", "rows", "columns"]
block     = [32]
grid      = ["ceil_div(rows, 32)"]
requires  = ["columns <= 64"]
*/
__global__ void stack_of_64(const float* x, float* next, int rows, int columns) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * columns;
  float* to = next + static_cast<size_t>(row) * columns;
  __shared__ int stack[32][64];
  int* const open = stack[threadIdx.x];
  int count = 0;
  for (int j = 0; j < columns; ++j) {
    while (count > 0 && from[j] > from[open[count - 1]]) to[open[--count]] = j;
    open[count++] = j;
  }
  while (count > 0) to[open[--count]] = columns;
}
