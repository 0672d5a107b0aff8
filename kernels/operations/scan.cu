// Inclusive prefix sums of each row: one thread per row, and one block per row with sums of warps.
/* warpcheck
[[operation]]
name    = "scan"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows", "columns"] }
define  = "y[i,j] = sum(k: x[i,k] where k <= j)"

[defaults]
operation = "scan"
arguments = ["x", "stride_x", "y", "stride_y", "rows", "columns"]

[[variant]]
name   = "scan_thread_per_row"
kernel = "scan_thread_per_row"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "scan_block_per_row"
kernel = "scan_block_per_row"
block  = [128]
grid   = ["rows"]
*/

__global__ void scan_thread_per_row(const float* x, int stride_x, float* y, int stride_y, int rows,
                                    int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) {
    sum += x[static_cast<size_t>(row) * stride_x + j];
    y[static_cast<size_t>(row) * stride_y + j] = sum;
  }
}

__global__ void scan_block_per_row(const float* x, int stride_x, float* y, int stride_y, int rows,
                                   int columns) {
  __shared__ float sums[4];  // one sum per warp
  const float* from = x + static_cast<size_t>(blockIdx.x) * stride_x;
  float* to = y + static_cast<size_t>(blockIdx.x) * stride_y;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float before = 0.0f;  // the sum of the elements that earlier iterations added
  for (int begin = 0; begin < columns; begin += 128) {
    const int j = begin + threadIdx.x;
    float sum = j < columns ? from[j] : 0.0f;
    for (int step = 1; step < 32; step *= 2) {
      const float other = __shfl_up_sync(~0u, sum, step);
      if (lane >= step) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    float offset = before;
    for (int i = 0; i < 4; ++i) {
      if (i < warp) offset += sums[i];
      before += sums[i];
    }
    if (j < columns) to[j] = offset + sum;
    __syncthreads();  // the sums are read
  }
}
