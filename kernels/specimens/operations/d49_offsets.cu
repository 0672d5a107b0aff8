// Sums of rows: strides whose offsets exceed 32 bits, batches with strides of their own, and rows
// without elements.

/// The offset of a row is computed in 32 bits.
__global__ void offset_in_32_bits(const float* x, int stride_x, float* y, int rows, int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += x[row * stride_x + j];  // finding here
  y[row] = sum;
}

/// The offset of a matrix is computed in 32 bits, which also lose the 32nd bit.
__global__ void batch_offset_in_32_bits(const float* x, unsigned batch_stride_x, float* y, int rows,
                                        int columns) {
  const unsigned offset = blockIdx.y * batch_stride_x;
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) {
    sum += x[offset + static_cast<size_t>(row) * columns + j];
  }
  y[static_cast<size_t>(blockIdx.y) * rows + row] = sum;  // finding here
}

/// The matrices are taken to follow one another.
__global__ void batch_stride_ignored(const float* x, int stride_x, long long batch_stride_x,
                                     float* y, int rows, int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const size_t line = static_cast<size_t>(blockIdx.y) * rows + row;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += x[line * stride_x + j];
  y[line] = sum;  // finding here
}

/// The sum of a row without elements is never written.
__global__ void empty_sum_not_written(const float* x, float* y, int m, int n) {  // finding here
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= m || n == 0) return;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) sum += x[static_cast<size_t>(row) * n + j];
  y[row] = sum;
}
