// Layer normalization of each row: one thread per row, and one block per row with vectors of four
// elements.
/* warpcheck
[[operation]]
name    = "layer_norm"
extents = ["rows", "columns"]
inputs.x    = { shape = ["rows", "columns"] }
inputs.gain = { shape = ["columns"] }
inputs.bias = { shape = ["columns"] }
outputs.y = { shape = ["rows", "columns"] }
scalars = ["epsilon"]
define  = """
  mean[i]     = sum(j: x[i,j]) / columns
  variance[i] = sum(j: (x[i,j] - mean[i]) * (x[i,j] - mean[i])) / columns
  y[i,j]      = (x[i,j] - mean[i]) * rsqrt(variance[i] + abs(epsilon)) * gain[j] + bias[j]
"""

[defaults]
operation = "layer_norm"
arguments = ["x", "stride_x", "gain", "bias", "y", "stride_y", "epsilon", "rows", "columns"]

[[variant]]
name   = "layer_norm_thread_per_row"
kernel = "layer_norm_thread_per_row"
block  = [64]
grid   = ["ceil_div(rows, 64)"]

[[variant]]
name   = "layer_norm_block_per_row"
kernel = "layer_norm_block_per_row"
block  = [128]
grid   = ["rows"]
requires = ["stride_x % 4 == 0", "aligned(x, 16)"]
*/

__global__ void layer_norm_thread_per_row(const float* x, int stride_x, const float* gain,
                                          const float* bias, float* y, int stride_y, float epsilon,
                                          int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float* to = y + static_cast<size_t>(row) * stride_y;
  float mean = 0.0f;
  for (int j = 0; j < columns; ++j) mean += from[j];
  mean /= columns;
  float variance = 0.0f;
  for (int j = 0; j < columns; ++j) variance += (from[j] - mean) * (from[j] - mean);
  const float factor = rsqrtf(variance / columns + fabsf(epsilon));
  for (int j = 0; j < columns; ++j) to[j] = (from[j] - mean) * factor * gain[j] + bias[j];
}

/// The sum over the 128 threads of the block, for all of them. No other sum uses the parts.
__device__ float block_sum(float value, float* parts) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  return parts[0] + parts[1] + parts[2] + parts[3];
}

/// Calls `each(j, x[j])` for the elements of a thread.
template <typename Each>
__device__ void for_row(const float* row, int columns, const Each& each) {
  for (int j = 4 * threadIdx.x; j + 3 < columns; j += 4 * blockDim.x) {
    const float4 four = *reinterpret_cast<const float4*>(row + j);
    each(j, four.x);
    each(j + 1, four.y);
    each(j + 2, four.z);
    each(j + 3, four.w);
  }
  const int j = columns / 4 * 4 + threadIdx.x;
  if (j < columns) each(j, row[j]);
}

__global__ void layer_norm_block_per_row(const float* x, int stride_x, const float* gain,
                                         const float* bias, float* y, int stride_y, float epsilon,
                                         int rows, int columns) {
  __shared__ float parts_of_sum[4];
  __shared__ float parts_of_squares[4];
  const float* from = x + static_cast<size_t>(blockIdx.x) * stride_x;
  float* to = y + static_cast<size_t>(blockIdx.x) * stride_y;
  float sum = 0.0f;
  for_row(from, columns, [&](int, float value) { sum += value; });
  const float mean = block_sum(sum, parts_of_sum) / columns;
  float squares = 0.0f;
  for_row(from, columns, [&](int, float value) { squares += (value - mean) * (value - mean); });
  const float variance = block_sum(squares, parts_of_squares) / columns;
  const float factor = rsqrtf(variance + fabsf(epsilon));
  for_row(from, columns,
          [&](int j, float value) { to[j] = (value - mean) * factor * gain[j] + bias[j]; });
}
