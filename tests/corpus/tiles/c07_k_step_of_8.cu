// 32 x 32 tile of C per block, a slab of eight along k, four columns per thread. The columns of B
// are loaded as float4.
template <const int BM, const int BN, const int BK>
__global__ void sgemm_slabs(int M, int N, int K, float alpha, const float* A, const float* B,
                            float beta, float* C) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];

  const int thread = threadIdx.x;    // 256 threads
  const int threadRow = thread / 8;  // 0 .. 31
  const int threadCol = thread % 8;  // 0 .. 7, four columns each
  const int row = blockIdx.y * BM + threadRow;
  const int col = blockIdx.x * BN + threadCol * 4;

  float results[4] = {0.0f};
  for (int bk = 0; bk < K; bk += BK) {
    As[threadRow][threadCol] = row < M ? A[row * K + bk + threadCol] : 0.0f;
    if (thread < BK * BN / 4) {
      const int loadRow = thread / (BN / 4);
      const int loadCol = thread % (BN / 4) * 4;
      float4 loaded = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (blockIdx.x * BN + loadCol < N) {
        loaded =
            *reinterpret_cast<const float4*>(&B[(bk + loadRow) * N + blockIdx.x * BN + loadCol]);
      }
      Bs[loadRow][loadCol + 0] = loaded.x;
      Bs[loadRow][loadCol + 1] = loaded.y;
      Bs[loadRow][loadCol + 2] = loaded.z;
      Bs[loadRow][loadCol + 3] = loaded.w;
    }
    __syncthreads();
    for (int i = 0; i < BK; ++i) {
      for (int j = 0; j < 4; ++j) {
        results[j] += As[threadRow][i] * Bs[i][threadCol * 4 + j];
      }
    }
    __syncthreads();
  }

  if (row >= M) return;
  for (int j = 0; j < 4 && col + j < N; ++j) {
    float scaled = alpha == 0.0f ? 0.0f : alpha * results[j];
    float* c = &C[row * N + col + j];
    *c = beta == 0.0f ? scaled : scaled + beta * *c;
  }
}
