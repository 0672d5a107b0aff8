// Causal attention: scores of each query with the keys up to its own position, their softmax, and
// the sum of the values with these weights. One thread per query in three passes, and one warp per
// query that rescales its sums whenever it meets a larger score.
/* warpcheck
[[operation]]
name    = "causal_attention"
extents = ["heads", "length", "depth"]
inputs.q = { shape = ["heads", "length", "depth"] }
inputs.k = { shape = ["heads", "length", "depth"] }
inputs.v = { shape = ["heads", "length", "depth"] }
outputs.y = { shape = ["heads", "length", "depth"] }
scalars = ["scale"]
define  = """
  score[h,i,j] = scale * sum(d: q[h,i,d] * k[h,j,d])
  peak[h,i]    = max(j: score[h,i,j] where j <= i)
  total[h,i]   = sum(j: exp(score[h,i,j] - peak[h,i]) where j <= i)
  y[h,i,d]     = sum(j: exp(score[h,i,j] - peak[h,i]) * v[h,j,d] where j <= i) / total[h,i]
"""

[defaults]
operation = "causal_attention"
arguments = ["q", "k", "v", "y", "scale", "length", "depth"]
requires  = ["heads <= 65535"]

[[variant]]
name   = "attention_thread_per_query"
kernel = "attention_thread_per_query"
block  = [32]
grid   = ["ceil_div(length, 32)", "heads"]

[[variant]]
name   = "attention_online"
kernel = "attention_online"
block  = [32, 4]
grid   = ["ceil_div(length, 4)", "heads"]
requires = ["depth <= 128 and heads <= 65535"]
*/

#include <math.h>

__device__ float score(const float* query, const float* key, float scale, int depth) {
  float sum = 0.0f;
  for (int d = 0; d < depth; ++d) sum += query[d] * key[d];
  return scale * sum;
}

__global__ void attention_thread_per_query(const float* q, const float* k, const float* v, float* y,
                                           float scale, int length, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const size_t head = static_cast<size_t>(blockIdx.y) * length;
  const float* query = q + (head + i) * depth;
  float peak = -INFINITY;
  for (int j = 0; j <= i; ++j)
    peak = fmaxf(peak, score(query, k + (head + j) * depth, scale, depth));
  float total = 0.0f;
  for (int j = 0; j <= i; ++j) {
    total += expf(score(query, k + (head + j) * depth, scale, depth) - peak);
  }
  for (int d = 0; d < depth; ++d) {
    float sum = 0.0f;
    for (int j = 0; j <= i; ++j) {
      const float weight = expf(score(query, k + (head + j) * depth, scale, depth) - peak);
      sum += weight * v[(head + j) * depth + d];
    }
    y[(head + i) * depth + d] = sum / total;
  }
}

__global__ void attention_online(const float* q, const float* k, const float* v, float* y,
                                 float scale, int length, int depth) {
  const int i = blockIdx.x * blockDim.y + threadIdx.y;
  if (i >= length) return;
  const size_t head = static_cast<size_t>(blockIdx.y) * length;
  const float* query = q + (head + i) * depth;
  float sums[4] = {};  // elements lane, lane + 32 ...
  float peak = -INFINITY;
  float total = 0.0f;
  for (int j = 0; j <= i; ++j) {
    const float* key = k + (head + j) * depth;
    float part = 0.0f;
    for (int d = threadIdx.x; d < depth; d += 32) part += query[d] * key[d];
    for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(~0u, part, step);
    const float one = scale * part;
    const float most = fmaxf(peak, one);
    const float factor = peak == -INFINITY ? 0.0f : expf(peak - most);
    const float weight = one == -INFINITY ? 0.0f : expf(one - most);
    total = total * factor + weight;
    for (int n = 0; n < 4; ++n) {
      const int d = threadIdx.x + 32 * n;
      if (d < depth) sums[n] = sums[n] * factor + weight * v[(head + j) * depth + d];
    }
    peak = most;
  }
  for (int n = 0; n < 4; ++n) {
    const int d = threadIdx.x + 32 * n;
    if (d < depth) y[(head + i) * depth + d] = sums[n] / total;
  }
}
