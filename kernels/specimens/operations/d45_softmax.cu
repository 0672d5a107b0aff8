// Softmax: the exponentials overflow because the largest element is not subtracted; the sum of a
// warp is not rescaled when a larger element is met; a block's sum uses only whole warps.
#include <math.h>

__global__ void largest_not_subtracted(const float* x, int stride_x, float* y, int stride_y,
                                       int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) total += expf(from[j]);
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * stride_y + j] = expf(from[j]) / total;  // finding here
  }
}

__global__ void sum_not_rescaled(const float* x, int stride_x, float* y, int stride_y, int rows,
                                 int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float peak = -INFINITY;
  float total = 0.0f;
  for (int j = 0; j < columns; ++j) {
    peak = fmaxf(peak, from[j]);
    total += expf(from[j] - peak);
  }
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * stride_y + j] = expf(from[j] - peak) / total;  // finding here
  }
}

__global__ void part_of_a_warp_lost(const float* x, int stride_x, float* y, int stride_y, int rows,
                                    int columns) {
  const float* from = x + static_cast<size_t>(blockIdx.x) * stride_x;
  float peak = -INFINITY;
  for (int j = 0; j < columns; ++j) peak = fmaxf(peak, from[j]);
  float total = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) total += expf(from[j] - peak);
  for (int step = 16; step > 1; step /= 2) total += __shfl_xor_sync(~0u, total, step);
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = expf(from[j] - peak) / total;
    y[static_cast<size_t>(blockIdx.x) * stride_y + j] = value;  // finding here
  }
}
