// Attention of a warp per query that meets one key after the other: the values are not rescaled
// when a larger score is met, though their weights are; the sums are kept in f16; a query head
// reads the keys of the wrong head.
#include <cuda_fp16.h>
#include <math.h>

template <bool kNotRescaled, bool kHalfSums, bool kWrongHead>
__global__ void attention(const __half* q, const __half* k, const __half* v, __half* y, float scale,
                          int heads, int group, int length, int depth) {
  const int head = kWrongHead ? blockIdx.y % heads : blockIdx.y / group;
  const size_t row = static_cast<size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  const __half* query = q + row * depth;
  const __half* key = k + static_cast<size_t>(head) * length * depth;
  const __half* value = v + static_cast<size_t>(head) * length * depth;
  for (int d = threadIdx.x; d < depth; d += 32) {
    float peak = -INFINITY;
    float total = 0.0f;
    float sum = 0.0f;
    for (int j = 0; j < length; ++j) {
      float score = 0.0f;
      for (int i = 0; i < depth; ++i) {
        score += __half2float(query[i]) * __half2float(key[j * depth + i]);
      }
      score *= scale;
      const float most = fmaxf(peak, score);
      const float factor = peak == -INFINITY ? 0.0f : expf(peak - most);
      const float weight = score == -INFINITY ? 0.0f : expf(score - most);
      total = total * factor + weight;
      const float kept = kNotRescaled && peak != -INFINITY ? sum : sum * factor;
      sum = kept + weight * __half2float(value[static_cast<size_t>(j) * depth + d]);
      if (kHalfSums) sum = __half2float(__float2half(sum));
      peak = most;
    }
    y[row * depth + d] = __float2half(sum / total);  // finding here
  }
}
