// Per-row cross entropy: loss[r] = logsumexp(logits[r, :]) - logits[r, target[r]], 0 where target
// is ignore_index. Any rows >= 1, 1 <= vocab <= 2^30; targets other than ignore_index lie in [0,
// vocab); row_stride >= vocab.
#include <cuda_runtime.h>
#include <math_constants.h>

#include <cstdint>

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;

__device__ __forceinline__ void merge(float& m, float& s, float om, float os) {
  const float nm = fmaxf(m, om);
  if (nm == -CUDART_INF_F) return;
  s = s * __expf(m - nm) + os * __expf(om - nm);
  m = nm;
}

__global__ void __launch_bounds__(kBlock)
    cross_entropy_rows_kernel(const float* __restrict__ logits, const int64_t* __restrict__ target,
                              float* __restrict__ loss, int vocab, int64_t row_stride,
                              int64_t ignore_index) {
  const int64_t row = blockIdx.x;
  const int64_t t = target[row];
  if (t == ignore_index) {  // uniform over the block
    if (threadIdx.x == 0) loss[row] = 0.0f;
    return;
  }

  const float* x = logits + row * row_stride;
  float m = -CUDART_INF_F, s = 0.0f;
  for (int c = threadIdx.x; c < vocab; c += kBlock) merge(m, s, x[c], 1.0f);

#pragma unroll
  for (int o = 16; o > 0; o >>= 1) {
    const float om = __shfl_xor_sync(0xffffffffu, m, o);
    const float os = __shfl_xor_sync(0xffffffffu, s, o);
    merge(m, s, om, os);
  }

  __shared__ float2 part[kWarps];
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = make_float2(m, s);
  __syncthreads();

  if (threadIdx.x == 0) {
#pragma unroll
    for (int w = 1; w < kWarps; ++w) merge(m, s, part[w].x, part[w].y);
    loss[row] = m + logf(s) - x[t];
  }
}

void launch_cross_entropy_rows(const float* logits, const int64_t* target, float* loss, int rows,
                               int vocab, int64_t row_stride, int64_t ignore_index,
                               cudaStream_t stream) {
  cross_entropy_rows_kernel<<<rows, kBlock, 0, stream>>>(logits, target, loss, vocab, row_stride,
                                                         ignore_index);
}
