// y = x transposed: element by element, and through tiles of shared memory whose rows are padded
// against bank conflicts.
/* warpcheck
[[operation]]
name    = "transpose"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"] }
outputs.y = { shape = ["columns", "rows"] }
define  = "y[j,i] = x[i,j]"

[defaults]
operation = "transpose"
arguments = ["x", "stride_x", "y", "stride_y", "rows", "columns"]
grid      = ["ceil_div(columns, 32)", "ceil_div(rows, 32)"]
requires  = ["rows <= 2097120"]

[[variant]]
name   = "transpose_elements"
kernel = "transpose_elements"
block  = [32, 32]

[[variant]]
name   = "transpose_tiles"
kernel = "transpose_tiles"
block  = [32, 8]
*/

__global__ void transpose_elements(const float* x, int stride_x, float* y, int stride_y, int rows,
                                   int columns) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  if (row >= rows || column >= columns) return;
  y[static_cast<size_t>(column) * stride_y + row] = x[static_cast<size_t>(row) * stride_x + column];
}

__global__ void transpose_tiles(const float* x, int stride_x, float* y, int stride_y, int rows,
                                int columns) {
  __shared__ float tile[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    if (row < rows && column < columns) {
      tile[i][threadIdx.x] = x[static_cast<size_t>(row) * stride_x + column];
    }
  }
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int out = blockIdx.x * 32 + i;
    if (row < rows && out < columns) {
      y[static_cast<size_t>(out) * stride_y + row] = tile[threadIdx.x][i];
    }
  }
}
