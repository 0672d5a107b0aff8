// Rows divided by their largest magnitude, with its reciprocal: that of a subnormal number below
// 2^-128 is infinite.
#include <math.h>

__global__ void reciprocal_of_subnormal(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * columns;
  float most = 0.0f;
  for (int j = 0; j < columns; ++j) most = fmaxf(most, fabsf(from[j]));
  const float factor = most > 0.0f ? 1.0f / most : 0.0f;
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * columns + j] = from[j] * factor;  // finding here
  }
}
