// A call may clear the elements of the output of the call before, without the padding of its rows.
/* warpcheck
[[operation]]
name    = "twice"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = 2 * x[i,j]"

[[variant]]
name      = "rows_of_first_call"
operation = "twice"
requires  = ["rows >= 1", "columns >= 1", "rows * stride_y <= 65536"]

[[variant.launch]]
kernel    = "clear"
arguments = ["y", "stride_y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows * stride_y, 64)"]

[[variant.launch]]
kernel    = "twice"
arguments = ["x", "y", "stride_y", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows * columns, 64)"]

[[variant.launch]]
kernel    = "keep"
arguments = ["y"]
block     = [1]
grid      = [1]
*/
__device__ float* previous;

__global__ void clear(const float* y, int stride, int rows, int columns) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const bool is_element = i / stride < rows && i % stride < columns;
  if (previous == nullptr || previous == y) return;
  if (is_element) previous[i] = 0.0f;
}

__global__ void twice(const float* x, float* y, int stride, int rows, int columns) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= rows * columns) return;
  y[static_cast<size_t>(i / columns) * stride + i % columns] = 2.0f * x[i];
}

__global__ void keep(float* y) { previous = y; }
