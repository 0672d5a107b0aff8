/* warpcheck
[[variant]]
name      = "macro_tiles"
operation = "gemm"
kernel    = "gemm_smem"
arguments = ["m", "n", "k", "a", "b", "c"]
block     = ["BN", "BM"]
grid      = ["ceil_div(n, BN)", "ceil_div(m, BM)"]
requires  = ["m <= 65535 * BM"]
[[variant.instances]]
defines = { BM = 8, BN = 32, BK = 4 }
[[variant.instances]]
defines = { BM = 16, BN = 16, BK = 16 }
*/
// Shared memory tiles whose sizes are macros: nvcc -DBM=16 -DBN=16 -DBK=16.
#ifndef BM
#define BM 32
#endif
#ifndef BN
#define BN 32
#endif
#ifndef BK
#define BK 32
#endif

__global__ void gemm_smem(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int row = blockIdx.y * BM + threadIdx.y;
  const int col = blockIdx.x * BN + threadIdx.x;
  const int thread = threadIdx.y * BN + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = thread; i < BM * BK; i += BM * BN) {
      const int r = blockIdx.y * BM + i / BK;
      const int k = k0 + i % BK;
      As[i / BK][i % BK] = r < M && k < K ? A[r * K + k] : 0.0f;
    }
    for (int i = thread; i < BK * BN; i += BM * BN) {
      const int k = k0 + i / BN;
      const int c = blockIdx.x * BN + i % BN;
      Bs[i / BN][i % BN] = k < K && c < N ? B[k * N + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
