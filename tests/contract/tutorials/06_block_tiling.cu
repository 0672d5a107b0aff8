// Each thread computes TM x TN elements of a BM x BN tile. The launcher requires whole tiles.
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void sgemm_2d(int M, int N, int K, float alpha, const float* A, const float* B,
                         float beta, float* C) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  const int threads = BM * BN / (TM * TN);
  const int thread_row = threadIdx.x / (BN / TN);
  const int thread_col = threadIdx.x % (BN / TN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float results[TM * TN] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += threads) As[i] = A[i / BK * K + i % BK];
    for (int i = threadIdx.x; i < BK * BN; i += threads) Bs[i] = B[i / BN * N + i % BN];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (int k = 0; k < BK; ++k) {
      for (int m = 0; m < TM; ++m) {
        for (int n = 0; n < TN; ++n) {
          results[m * TN + n] +=
              As[(thread_row * TM + m) * BK + k] * Bs[k * BN + thread_col * TN + n];
        }
      }
    }
    __syncthreads();
  }
  for (int m = 0; m < TM; ++m) {
    for (int n = 0; n < TN; ++n) {
      float* c = &C[(thread_row * TM + m) * N + thread_col * TN + n];
      *c = (alpha == 0.0f ? 0.0f : alpha * results[m * TN + n]) + (beta == 0.0f ? 0.0f : beta * *c);
    }
  }
}
