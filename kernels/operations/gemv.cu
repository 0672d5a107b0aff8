// y = alpha A x: one thread per row, and one warp per row.
/* warpcheck
[[operation]]
name    = "gemv"
extents = ["rows", "columns"]
inputs.a = { shape = ["rows", "columns"] }
inputs.x = { shape = ["columns"] }
outputs.y = { shape = ["rows"] }
scalars = ["alpha"]
define  = "y[i] = alpha * sum(j: a[i,j] * x[j])"

[defaults]
operation = "gemv"
arguments = ["a", "stride_a", "x", "y", "alpha", "rows", "columns"]

[[variant]]
name   = "gemv_thread_per_row"
kernel = "gemv_thread_per_row"
block  = [128]
grid   = ["ceil_div(rows, 128)"]

[[variant]]
name   = "gemv_warp_per_row"
kernel = "gemv_warp_per_row"
block  = [32, 4]
grid   = ["ceil_div(rows, 4)"]
*/

__global__ void gemv_thread_per_row(const float* a, int stride, const float* x, float* y,
                                    float alpha, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += a[static_cast<size_t>(row) * stride + j] * x[j];
  y[row] = alpha * sum;
}

__global__ void gemv_warp_per_row(const float* a, int stride, const float* x, float* y, float alpha,
                                  int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) {
    sum += a[static_cast<size_t>(row) * stride + j] * x[j];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) y[row] = alpha * sum;
}
