// Each call clears the output of the call before, with its padding: the place is named by its row.
// exits: 1
// prints: error[guard-overwritten]:
// prints: store to byte 4 of y of the first call
// prints: property=second-call-other-pointers
/* warpcheck
[[operation]]
name    = "twice"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = 2 * x[i,j]"

[[variant]]
name      = "padding_of_first_call"
operation = "twice"
requires  = ["rows >= 1", "columns >= 1", "rows * stride_y <= 65536"]

[[variant.launch]]
kernel    = "clear"
arguments = ["y", "(rows - 1) * stride_y + columns"]
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

__global__ void clear(const float* y, int elements) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (previous == nullptr || previous == y) return;
  if (i < elements) previous[i] = 0.0f;  // finding here
}

__global__ void twice(const float* x, float* y, int stride, int rows, int columns) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= rows * columns) return;
  y[static_cast<size_t>(i / columns) * stride + i % columns] = 2.0f * x[i];
}

__global__ void keep(float* y) { previous = y; }
