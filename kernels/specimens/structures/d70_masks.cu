// A log-sum-exp of one pass: it rescales its sum by exp(peak - larger peak), which is NaN for two
// elements of -infinity, as a row has that starts with a mask.
#include <math.h>

__global__ void row_starts_with_mask(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * columns;
  float peak = from[0];
  float sum = 1.0f;
  for (int j = 1; j < columns; ++j) {
    const float most = fmaxf(peak, from[j]);
    sum = sum * expf(peak - most) + expf(from[j] - most);
    peak = most;
  }
  y[row] = logf(sum) + peak;  // finding here
}
