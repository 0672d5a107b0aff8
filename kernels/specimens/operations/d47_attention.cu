// Attention over keys of different lengths: a mask that is off by one; padding that is multiplied
// by 0 instead of left out, so that a NaN there reaches the result; rows of a sequence without keys
// that are never written; a total that is not rescaled when a larger score is met.
#include <math.h>

template <bool kOffByOne, bool kMultiplies, bool kSkipsEmpty>
__global__ void attention(const float* q, const float* k,  // finding here
                          const float* v, const int* keys, float* y, int length, int depth) {
  const int count = keys[blockIdx.x] + (kOffByOne ? 1 : 0);
  const float* query = q + static_cast<size_t>(blockIdx.x) * depth;
  const float* key = k + static_cast<size_t>(blockIdx.x) * length * depth;
  const float* value = v + static_cast<size_t>(blockIdx.x) * length * depth;
  float* to = y + static_cast<size_t>(blockIdx.x) * depth;
  if (count == 0) {
    for (int d = threadIdx.x; d < depth && !kSkipsEmpty; d += 32) to[d] = 0.0f;
    return;
  }
  const auto score = [&](int j) {
    float sum = 0.0f;
    for (int d = 0; d < depth; ++d) sum += query[d] * key[j * depth + d];  // finding here
    return sum;
  };
  float peak = -INFINITY;
  for (int j = 0; j < count; ++j) peak = fmaxf(peak, score(j));  // finding here
  float total = 0.0f;
  for (int j = 0; j < count; ++j) total += expf(score(j) - peak);
  for (int d = threadIdx.x; d < depth; d += 32) {
    float sum = 0.0f;
    for (int j = 0; j < (kMultiplies ? length : count); ++j) {
      const float weight = j < count ? expf(score(j) - peak) : 0.0f;
      sum += weight * value[j * depth + d];
    }
    to[d] = sum / total;  // finding here
  }
}

template <bool kTotalNotRescaled>
__global__ void online_attention(const float* q, const float* k, const float* v, const int* keys,
                                 float* y, int length, int depth) {
  const float* query = q + static_cast<size_t>(blockIdx.x) * depth;
  const float* key = k + static_cast<size_t>(blockIdx.x) * length * depth;
  const float* value = v + static_cast<size_t>(blockIdx.x) * length * depth;
  for (int d = threadIdx.x; d < depth; d += 32) {
    float peak = -INFINITY;
    float total = 0.0f;
    float sum = 0.0f;
    for (int j = 0; j < keys[blockIdx.x]; ++j) {
      float score = 0.0f;
      for (int i = 0; i < depth; ++i) score += query[i] * key[j * depth + i];
      const float most = fmaxf(peak, score);
      const float factor = peak == -INFINITY ? 0.0f : expf(peak - most);
      const float weight = score == -INFINITY ? 0.0f : expf(score - most);
      total = (kTotalNotRescaled ? total : total * factor) + weight;
      sum = sum * factor + weight * value[j * depth + d];
      peak = most;
    }
    const float result = keys[blockIdx.x] == 0 ? 0.0f : sum / total;
    y[static_cast<size_t>(blockIdx.x) * depth + d] = result;  // finding here
  }
}
