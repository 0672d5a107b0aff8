// B is stored column by column, so that both operands are read along k, four elements at a time.
#define FLOAT4(value) (reinterpret_cast<const float4*>(&(value))[0])

__global__ void dot_products(const float* A, int lda, const float* B, int ldb, float* C, int ldc,
                             int M, int N, int K) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= M || x >= N) return;

  float result = 0.0f;
  for (int i = 0; i < K; i += 4) {
    const float4 a = FLOAT4(A[y * lda + i]);
    const float* b = B + x * ldb + i;
    result += a.x * b[0];
    result += a.y * b[1];
    result += a.z * b[2];
    result += a.w * b[3];
  }
  C[y * ldc + x] = result;
}
