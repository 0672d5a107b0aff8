// Sums and largest elements of rows: vectors of four whose rest is lost; a row in shared memory
// that is longer than its buffer; sums that are added to an output that holds nothing yet; a tie
// that the wrong position wins; a variance that is the difference of large numbers; sums in f16;
// the variance of a layer norm with elements beyond the row, as a masked load has whose deviations
// are not masked again, and that of a sample; epsilon beside the root instead of in it; the routing
// of tokens to the expert with the largest score, whose numbers of tokens depend on it.
template <bool kDropsTail, bool kFixedBuffer, bool kAddsToNothing>
__global__ void gemv(const float* a, int stride, const float* x, float* y, float alpha,
                     int columns) {
  __shared__ float of_row[64];
  const float* row = a + static_cast<size_t>(blockIdx.x) * stride;
  const int end = kDropsTail ? columns / 4 * 4 : columns;
  float sum = 0.0f;
  if (kFixedBuffer) {
    for (int j = threadIdx.x; j < columns; j += 32) of_row[j] = row[j];  // finding here
    __syncwarp();
    for (int j = threadIdx.x; j < columns; j += 32) sum += of_row[j] * x[j];
  } else {
    for (int j = threadIdx.x; j < end; j += 32) sum += row[j] * x[j];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x != 0) return;
  if (kAddsToNothing) {
    atomicAdd(y + blockIdx.x, alpha * sum);  // finding here
  } else {
    y[blockIdx.x] = alpha * sum;  // finding here
  }
}

template <bool kLastOfEqual>
__global__ void argmax(const float* x, int* at, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  int place = 0;
  for (int j = 1; j < columns; ++j) {
    if (row[j] > row[place] || (kLastOfEqual && row[j] == row[place])) place = j;
  }
  at[blockIdx.x] = place;  // finding here
}

template <bool kOfSquares>
__global__ void layer_norm(const float* x, float* y, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  float squares = 0.0f;
  for (int j = 0; j < columns; ++j) {
    sum += row[j];
    squares += row[j] * row[j];
  }
  const float mean = sum / columns;
  float variance = squares / columns - mean * mean;
  if (!kOfSquares) {
    variance = 0.0f;
    for (int j = 0; j < columns; ++j) variance += (row[j] - mean) * (row[j] - mean);
    variance /= columns;
  }
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = (row[j] - mean) * rsqrtf(variance + 1e-5f);
    y[static_cast<size_t>(blockIdx.x) * columns + j] = value;  // finding here
  }
}

/// A warp for each row.
template <bool kPaddingCounts, bool kOfSample, bool kEpsilonBesideRoot>
__global__ void layer_norm_of_warp(const float* x, float* y, int columns) {
  constexpr float epsilon = 1e-5f;
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) sum += row[j];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  const float mean = sum / columns;
  const int end = kPaddingCounts ? (columns + 31) / 32 * 32 : columns;
  float squares = 0.0f;
  for (int j = threadIdx.x; j < end; j += 32) {
    const float distance = (j < columns ? row[j] : 0.0f) - mean;
    squares += distance * distance;
  }
  for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
  const float variance = squares / (kOfSample ? columns - 1 : columns);
  const float factor =
      kEpsilonBesideRoot ? 1.0f / (sqrtf(variance) + epsilon) : rsqrtf(variance + epsilon);
  for (int j = threadIdx.x; j < columns; j += 32) {
    y[static_cast<size_t>(blockIdx.x) * columns + j] = (row[j] - mean) * factor;  // finding here
  }
}

#include <cuda_fp16.h>

template <bool kHalfSums>
__global__ void row_sum(const float* x, float* total, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) {
    sum += row[j];
    if (kHalfSums) sum = __half2float(__float2half(sum));
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) total[blockIdx.x] = sum;  // finding here
}

__global__ void clear(int* count, int experts) {
  const int e = blockIdx.x * 64 + threadIdx.x;
  if (e < experts) count[e] = 0;
}

template <bool kLastOfEqual>
__global__ void route(const float* scores, int* expert, float* gate, int* count, int tokens,
                      int experts) {
  const int t = blockIdx.x * 64 + threadIdx.x;
  if (t >= tokens) return;
  const float* row = scores + static_cast<size_t>(t) * experts;
  int best = 0;
  for (int e = 1; e < experts; ++e) {
    if (row[e] > row[best] || (kLastOfEqual && row[e] == row[best])) best = e;
  }
  float sum = 0.0f;
  for (int e = 0; e < experts; ++e) sum += expf(row[e] - row[best]);
  expert[t] = best;  // finding here
  gate[t] = 1.0f / sum;
  atomicAdd(count + best, 1);
}
