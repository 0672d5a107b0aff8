// Quantization to 8 bits: the largest element becomes 128, which wraps around; elements are cut off
// instead of rounded. Dequantization: every row has the scale of the first one.
#include <math.h>

template <bool kWraps, bool kTruncates>
__global__ void quantize(const float* x, float* scale, signed char* y, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float most = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) most = fmaxf(most, fabsf(row[j]));
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  const float of_row = most / 127.0f;
  if (threadIdx.x == 0) scale[blockIdx.x] = of_row;
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = row[j] / fmaxf(kWraps ? most / 128.0f : of_row, 1e-7f);
    const int rounded = static_cast<int>(kTruncates ? value : rintf(value));
    const size_t at = static_cast<size_t>(blockIdx.x) * columns + j;
    y[at] = static_cast<signed char>(rounded);  // finding here
  }
}

template <bool kScaleOfFirstRow>
__global__ void dequantize(const signed char* q, const float* scale, float* y, int columns) {
  const float of_row = scale[kScaleOfFirstRow ? 0 : blockIdx.x];
  for (int j = threadIdx.x; j < columns; j += 32) {
    const size_t at = static_cast<size_t>(blockIdx.x) * columns + j;
    y[at] = static_cast<float>(q[at]) * of_row;  // finding here
  }
}
