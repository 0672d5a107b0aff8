// Causal attention in which a group of query heads shares the keys and values of one head, over
// sequences of different lengths: one thread per query in f32, and in f16 on tensor cores with
// tiles of 16 keys, whose sums are rescaled whenever a larger score is met.
/* warpcheck
[[operation]]
name    = "grouped_attention"
extents = ["batch", "heads", "group", "length", "depth"]
inputs.q    = { shape = ["batch", "heads", "group", "length", "depth"] }
inputs.k    = { shape = ["batch", "heads", "length", "depth"] }
inputs.v    = { shape = ["batch", "heads", "length", "depth"] }
inputs.keys = { shape = ["batch"], integer = true, range = [0, "length"] }
outputs.y   = { shape = ["batch", "heads", "group", "length", "depth"] }
scalars = ["scale"]
define  = """
  score[b,h,g,i,j]  = scale * sum(d: q[b,h,g,i,d] * k[b,h,j,d])
  peak[b,h,g,i]     = max(j: score[b,h,g,i,j] where j <= i and j < keys[b])
  weight[b,h,g,i,j] = select(j <= i and j < keys[b], exp(score[b,h,g,i,j] - peak[b,h,g,i]), 0)
  total[b,h,g,i]    = sum(j: weight[b,h,g,i,j])
  # Tensor cores multiply a masked value by 0, which is NaN if the value is infinite or NaN.
  y[b,h,g,i,d]      = either(
    select(keys[b] == 0, 0,
           sum(j: weight[b,h,g,i,j] * v[b,h,j,d] where j <= i and j < keys[b]) / total[b,h,g,i]),
    select(keys[b] == 0, 0, sum(j: weight[b,h,g,i,j] * v[b,h,j,d]) / total[b,h,g,i]))
"""

[defaults]
operation = "grouped_attention"
arguments = ["q", "k", "v", "keys", "y", "scale", "group", "length", "depth"]
requires  = ["heads * group <= 65535 and batch <= 65535"]

[[variant]]
name   = "grouped_attention_thread_per_query"
kernel = "grouped_attention_thread_per_query"
block  = [32]
grid   = ["ceil_div(length, 32)", "heads * group", "batch"]

[[variant]]
name   = "grouped_attention_mma"
kernel = "grouped_attention_mma"
tensor_cores = true
types  = { q = "f16", k = "f16", v = "f16", weight = "f16", y = "f16" }
block  = [64]
grid   = ["ceil_div(length, 32)", "heads * group", "batch"]
requires = ["depth <= 64 and heads * group <= 65535 and batch <= 65535"]
*/

#include <math.h>

#include "../gemm/6_tensor_cores/mma.cuh"
#include "../gemm/6_tensor_cores/tensor_tile.cuh"

/// The number of the sequence of keys and values that a block reads, of all batches.
__device__ size_t key_head(int group) {
  return blockIdx.z * static_cast<size_t>(gridDim.y / group) + blockIdx.y / group;
}

__device__ size_t query_head() { return blockIdx.z * static_cast<size_t>(gridDim.y) + blockIdx.y; }

__global__ void grouped_attention_thread_per_query(const float* q, const float* k, const float* v,
                                                   const int* keys, float* y, float scale,
                                                   int group, int length, int depth) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= length) return;
  const int count = min(i + 1, keys[blockIdx.z]);
  const float* query = q + (query_head() * length + i) * depth;
  const float* key = k + key_head(group) * length * depth;
  const float* value = v + key_head(group) * length * depth;
  float* to = y + (query_head() * length + i) * depth;
  const auto score = [&](int j) {
    float sum = 0.0f;
    for (int d = 0; d < depth; ++d) sum += query[d] * key[static_cast<size_t>(j) * depth + d];
    return scale * sum;
  };
  float peak = -INFINITY;
  for (int j = 0; j < count; ++j) peak = fmaxf(peak, score(j));
  float total = 0.0f;
  for (int j = 0; j < count; ++j) total += expf(score(j) - peak);
  for (int d = 0; d < depth; ++d) {
    float sum = 0.0f;
    for (int j = 0; j < count; ++j) {
      sum += expf(score(j) - peak) * value[static_cast<size_t>(j) * depth + d];
    }
    to[d] = count == 0 ? 0.0f : sum / total;
  }
}

constexpr int kDepth = 64;   // the largest one; less is filled with zeros
constexpr int kStride = 72;  // elements per row of a tile: 8 rows of 16 bytes use different banks

/// The largest value, or the sum, of the four lanes that hold a row.
__device__ float largest_of_row(float value) {
  value = fmaxf(value, __shfl_xor_sync(~0u, value, 1));
  return fmaxf(value, __shfl_xor_sync(~0u, value, 2));
}

__device__ float sum_of_row(float value) {
  value += __shfl_xor_sync(~0u, value, 1);
  return value + __shfl_xor_sync(~0u, value, 2);
}

__device__ unsigned packed(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return reinterpret_cast<const unsigned&>(both);
}

/// The state of the 16 queries of a warp; each lane has parts of two rows.
struct Queries {
  float peak[2] = {-INFINITY, -INFINITY};
  float total[2] = {};             // sums of the lane's columns
  float sums[kDepth / 8][4] = {};  // weights times values

  /// Turns scores of 16 keys into weights, relative to the largest score so far.
  __device__ void add_scores(float (&scores)[2][4]) {
    for (int half = 0; half < 2; ++half) {
      float most = peak[half];
      for (int n = 0; n < 2; ++n) {
        most = fmaxf(most, fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
      }
      most = largest_of_row(most);
      const float factor = peak[half] == -INFINITY ? 0.0f : expf(peak[half] - most);
      peak[half] = most;
      total[half] *= factor;
      for (auto& tile : sums) {
        tile[2 * half] *= factor;
        tile[2 * half + 1] *= factor;
      }
      for (int i = 0; i < 4; ++i) {
        float& score = scores[i / 2][2 * half + i % 2];
        score = score == -INFINITY ? 0.0f : expf(score - most);
        total[half] += score;
      }
    }
  }
};

/// A block of two warps handles 32 queries, and reads tiles of 16 keys and values together.
__global__ void grouped_attention_mma(const __half* q, const __half* k, const __half* v,
                                      const int* keys, __half* y, float scale, int group,
                                      int length, int depth) {
  using mma::F16;
  __shared__ alignas(16) __half queries[32 * kStride];
  __shared__ alignas(16) __half key_tile[16 * kStride];
  __shared__ alignas(16) __half value_tile[16 * kStride];
  const int count = min(keys[blockIdx.z], length);
  const int first = blockIdx.x * 32;  // query
  const size_t of_keys = key_head(group) * length * depth;
  const size_t of_queries = query_head() * length * depth;
  const int first_of_warp = first + threadIdx.x / 32 * 16;

  tensor_tile::stage<32, kDepth, kStride, 64, __half>(
      queries, {q + of_queries, length, depth, depth}, first, 0);
  __syncthreads();
  unsigned a[kDepth / 16][4];
  for (int d = 0; d < kDepth / 16; ++d) {
    F16::load_a(a[d], queries + threadIdx.x / 32 * 16 * kStride + d * 16, kStride);
  }

  Queries state;
  for (int j0 = 0; j0 < min(count, first + 32); j0 += 16) {
    tensor_tile::stage<16, kDepth, kStride, 64, __half>(key_tile,
                                                        {k + of_keys, count, depth, depth}, j0, 0);
    tensor_tile::stage<16, kDepth, kStride, 64, __half>(value_tile,
                                                        {v + of_keys, count, depth, depth}, j0, 0);
    __syncthreads();  // the tiles are complete
    float scores[2][4] = {};
    for (int n = 0; n < 2; ++n) {
      for (int d = 0; d < kDepth / 16; ++d) {
        const __half* key = key_tile + (n * 8 + threadIdx.x % 32 / 4) * kStride + d * 16;
        const auto* pairs = reinterpret_cast<const unsigned*>(key) + threadIdx.x % 4;
        const unsigned b[2] = {pairs[0], pairs[4]};
        F16::multiply(scores[n], a[d], b);
      }
      for (int i = 0; i < 4; ++i) {
        const int query = first_of_warp + F16::row_of(i);
        const int key = j0 + n * 8 + F16::column_of(i);
        scores[n][i] = key <= query && key < count ? scale * scores[n][i] : -INFINITY;
      }
    }
    state.add_scores(scores);
    // The layout of sums is that of the rows of the next product.
    const unsigned weights[4] = {
        packed(scores[0][0], scores[0][1]), packed(scores[0][2], scores[0][3]),
        packed(scores[1][0], scores[1][1]), packed(scores[1][2], scores[1][3])};
    for (int d = 0; d < kDepth / 8; ++d) {
      unsigned b[2];
      F16::load_b(b, value_tile + d * 8, kStride);
      F16::multiply(state.sums[d], weights, b);
    }
    __syncthreads();  // the tiles are read
  }

  const float totals[2] = {sum_of_row(state.total[0]), sum_of_row(state.total[1])};
  for (int d = 0; d < kDepth / 8; ++d) {
    for (int i = 0; i < 4; ++i) {
      const int query = first_of_warp + F16::row_of(i);
      const int column = d * 8 + F16::column_of(i);
      if (query >= length || column >= depth) continue;
      const float value = count == 0 ? 0.0f : state.sums[d][i] / totals[i / 2];
      y[of_queries + static_cast<size_t>(query) * depth + column] = __float2half(value);
    }
  }
}
