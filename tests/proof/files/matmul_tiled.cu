// Shared-memory tiled matmul, C[M, N] = alpha * A[M, K] * B[K, N] + beta * C, with leading
// dimensions. Any 1 <= M, N, K <= 1000000 (all edges guarded), lda >= K, ldb >= N, ldc >= N, each
// below 2^30.
#include <cuda_runtime.h>

template <int TILE>
__global__ void matmul_tiled_kernel(const float* __restrict__ A, int lda,
                                    const float* __restrict__ B, int ldb, float* __restrict__ C,
                                    int ldc, int M, int N, int K, float alpha, float beta) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float acc = 0.0f;
  const int num_tiles = (K + TILE - 1) / TILE;
  for (int t = 0; t < num_tiles; ++t) {
    const int a_col = t * TILE + tx;
    const int b_row = t * TILE + ty;
    As[ty][tx] = (row < M && a_col < K) ? A[(size_t)row * lda + a_col] : 0.0f;
    Bs[ty][tx] = (b_row < K && col < N) ? B[(size_t)b_row * ldb + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }

  if (row < M && col < N) {
    const size_t o = (size_t)row * ldc + col;
    C[o] = alpha * acc + (beta != 0.0f ? beta * C[o] : 0.0f);
  }
}

template __global__ void matmul_tiled_kernel<16>(const float*, int, const float*, int, float*, int,
                                                 int, int, int, float, float);

void launch_matmul_tiled(const float* A, int lda, const float* B, int ldb, float* C, int ldc, int M,
                         int N, int K, float alpha, float beta, cudaStream_t stream) {
  constexpr int TILE = 16;
  dim3 block(TILE, TILE);
  dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  matmul_tiled_kernel<TILE>
      <<<grid, block, 0, stream>>>(A, lda, B, ldb, C, ldc, M, N, K, alpha, beta);
}
