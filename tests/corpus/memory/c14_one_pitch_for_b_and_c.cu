// B and C have the same number of columns, so that one pitch was thought to be enough.
template <typename Real>
__global__ void gemm_pitch(const Real* A, const Real* B, Real* C, int M, int N, int K, int lda,
                           int ldb, int ldc) {
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  int row = blockDim.y * blockIdx.y + threadIdx.y;
  if (row < M && col < N) {
    Real sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * lda + k] * B[k * ldc + col];
    C[row * ldc + col] = sum;
  }
}
