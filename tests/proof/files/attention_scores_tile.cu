// scores = scale * Q K^T for Q[bh, sq, d] and K[bh, sk, d], optionally causal (aligned to the end
// of K). Any 1 <= sq, sk <= 2^20, 1 <= d <= 2^20, 1 <= bh <= 65535.
#include <cuda_runtime.h>
#include <math_constants.h>

template <int TILE, int ROWS_PER_THREAD, bool CAUSAL>
__global__ void attention_scores_kernel(const float* __restrict__ Q, const float* __restrict__ K,
                                        float* __restrict__ S, int sq, int sk, int d, float scale) {
  constexpr int TY = TILE / ROWS_PER_THREAD;
  __shared__ float q_s[TILE][TILE + 1];
  __shared__ float k_s[TILE][TILE + 1];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int q0 = blockIdx.y * TILE;
  const int k0 = blockIdx.x * TILE;
  const size_t bh = blockIdx.z;
  Q += bh * sq * d;
  K += bh * sk * d;
  S += bh * sq * sk;

  float acc[ROWS_PER_THREAD] = {};

  for (int d0 = 0; d0 < d; d0 += TILE) {
#pragma unroll
    for (int r = 0; r < ROWS_PER_THREAD; ++r) {
      const int lr = ty + r * TY;
      const bool dim_ok = d0 + tx < d;
      q_s[lr][tx] = (dim_ok && q0 + lr < sq) ? Q[(size_t)(q0 + lr) * d + d0 + tx] : 0.f;
      k_s[lr][tx] = (dim_ok && k0 + lr < sk) ? K[(size_t)(k0 + lr) * d + d0 + tx] : 0.f;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < TILE; ++i) {
      const float kv = k_s[tx][i];
#pragma unroll
      for (int r = 0; r < ROWS_PER_THREAD; ++r) acc[r] += q_s[ty + r * TY][i] * kv;
    }
    __syncthreads();
  }

  const int col = k0 + tx;
#pragma unroll
  for (int r = 0; r < ROWS_PER_THREAD; ++r) {
    const int row = q0 + ty + r * TY;
    if (row < sq && col < sk) {
      float v = acc[r] * scale;
      if (CAUSAL && col > row + (sk - sq)) v = -CUDART_INF_F;
      S[(size_t)row * sk + col] = v;
    }
  }
}

template __global__ void attention_scores_kernel<32, 4, true>(const float*, const float*, float*,
                                                              int, int, int, float);
template __global__ void attention_scores_kernel<32, 4, false>(const float*, const float*, float*,
                                                               int, int, int, float);

void launch_attention_scores_tile(const float* Q, const float* K, float* S, int bh, int sq, int sk,
                                  int d, float scale, bool causal, cudaStream_t stream) {
  dim3 block(32, 8);
  dim3 grid((sk + 31) / 32, (sq + 31) / 32, bh);
  if (causal)
    attention_scores_kernel<32, 4, true><<<grid, block, 0, stream>>>(Q, K, S, sq, sk, d, scale);
  else
    attention_scores_kernel<32, 4, false><<<grid, block, 0, stream>>>(Q, K, S, sq, sk, d, scale);
}
