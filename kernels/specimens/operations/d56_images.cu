// Images: a convolution whose border in shared memory is not set to zero, whose filter is read
// transposed, or whose sums are f16; a transposition that moves the elements of a tile but not the
// tile, or that checks only one edge.
template <bool kBorderNotSet, bool kTransposedFilter>
__global__ void convolution(const float* x, const float* f, float* y, int height, int width) {
  __shared__ float tile[10][10];
  const int left = blockIdx.x * 8 - 1;
  const int top = blockIdx.y * 8 - 1;
  for (int i = threadIdx.y * 8 + threadIdx.x; i < 100; i += 64) {
    const int h = top + i / 10;
    const int w = left + i % 10;
    const bool exists = h >= 0 && h < height && w >= 0 && w < width;
    if (exists || !kBorderNotSet) {
      tile[i / 10][i % 10] = exists ? x[static_cast<size_t>(h) * width + w] : 0.0f;
    }
  }
  __syncthreads();
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    for (int s = 0; s < 3; ++s) {
      const float pixel = tile[threadIdx.y + r][threadIdx.x + s];   // finding here
      sum += pixel * f[kTransposedFilter ? 3 * s + r : 3 * r + s];  // finding here
    }
  }
  const int h = top + 1 + threadIdx.y;
  const int w = left + 1 + threadIdx.x;
  if (h < height && w < width) {
    y[static_cast<size_t>(h) * width + w] = sum;  // finding here
  }
}

template <bool kTileNotMoved, bool kOneEdge>
__global__ void transpose(const float* x, float* y, int rows, int columns) {  // finding here
  __shared__ float tile[16][17];
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] =
      row < rows && column < columns ? x[static_cast<size_t>(row) * columns + column] : 0.0f;
  __syncthreads();
  const int out = (kTileNotMoved ? blockIdx.y : blockIdx.x) * 16 + threadIdx.y;
  const int in = (kTileNotMoved ? blockIdx.x : blockIdx.y) * 16 + threadIdx.x;
  if (out < columns && (in < rows || kOneEdge)) {
    y[static_cast<size_t>(out) * rows + in] = tile[threadIdx.x][threadIdx.y];  // finding here
  }
}

#include <cuda_fp16.h>

template <bool kHalfSums>
__global__ void convolution_of_f16(const __half* x, const __half* f, __half* y, int height,
                                   int width) {
  const int w = blockIdx.x * 8 + threadIdx.x;
  const int h = blockIdx.y * 8 + threadIdx.y;
  if (h >= height || w >= width) return;
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    for (int s = 0; s < 3; ++s) {
      const int row = h + r - 1;
      const int column = w + s - 1;
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const __half pixel = x[static_cast<size_t>(row) * width + column];
      sum += __half2float(pixel) * __half2float(f[3 * r + s]);
      if (kHalfSums) sum = __half2float(__float2half(sum));
    }
  }
  y[static_cast<size_t>(h) * width + w] = __float2half(sum);  // finding here
}
