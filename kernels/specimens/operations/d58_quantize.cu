// Quantization to 8 bits: the largest element becomes 128, which wraps around; elements are cut off
// instead of rounded. Dequantization: every row has the scale of the first one. Both: e4m3fnuz.
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

#include <cuda_fp8.h>

// The largest number of e4m3fnuz is 240, that of e4m3 is 448.
template <bool kOfFnuz>
__global__ void quantize_e4m3(const float* x, float* scale, __nv_fp8_e4m3* y, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float most = 0.0f;
  for (int j = 0; j < columns; ++j) most = fmaxf(most, fabsf(row[j]));
  const float of_row = most / (kOfFnuz ? 240.0f : 448.0f);
  if (threadIdx.x == 0) scale[blockIdx.x] = of_row;  // finding here
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = row[j] / fmaxf(of_row, 1e-7f);
    y[static_cast<size_t>(blockIdx.x) * columns + j] = static_cast<__nv_fp8_e4m3>(value);
  }
}

// The same bits are half the number in e4m3fnuz.
template <bool kOfFnuz>
__global__ void dequantize_e4m3(const __nv_fp8_e4m3* q, const float* scale, float* y, int columns) {
  for (int j = threadIdx.x; j < columns; j += 32) {
    const size_t at = static_cast<size_t>(blockIdx.x) * columns + j;
    const float value = static_cast<float>(q[at]) * (kOfFnuz ? 0.5f : 1.0f);
    y[at] = value * scale[blockIdx.x];  // finding here
  }
}
