// Tiles and borders: a transposition that reads its tile before all of it is written; a
// convolution that reads beyond the border of the image; a scan that loses the sums of earlier
// blocks of elements.
__global__ void transpose_tile(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[16][17];
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  if (row < rows && column < columns) {
    tile[threadIdx.y][threadIdx.x] =
        x[static_cast<size_t>(row) * columns + column];  // finding here
  }
  const int out = blockIdx.x * 16 + threadIdx.y;
  const int in = blockIdx.y * 16 + threadIdx.x;
  if (in < rows && out < columns) {
    y[static_cast<size_t>(out) * rows + in] = tile[threadIdx.x][threadIdx.y];  // finding here
  }
}

__global__ void blur(const float* x, float* y, int height, int width) {
  const int w = blockIdx.x * 64 + threadIdx.x;
  const int h = blockIdx.y;
  if (w >= width) return;
  const float* at = x + static_cast<size_t>(h) * width + w;
  float sum = at[0] + at[width];  // finding here
  if (h > 0) sum += at[-width];
  y[static_cast<size_t>(h) * width + w] = sum;
}

__global__ void scan(const float* x, float* y, int length) {
  float before = 0.0f;
  for (int begin = 0; begin < length; begin += 32) {
    const int j = begin + threadIdx.x;
    float sum = j < length ? x[j] : 0.0f;
    for (int step = 1; step < 32; step *= 2) {
      const float other = __shfl_up_sync(~0u, sum, step);
      if (threadIdx.x >= step) sum += other;
    }
    if (j < length) y[j] = before + sum;  // finding here
    before = __shfl_sync(~0u, sum, 31);
    if (begin >= 0) before = 0.0f;
  }
}
