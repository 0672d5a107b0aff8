// Defect 26: the offset of a row is an int. Where lda * row exceeds 2^31 - 1 it wraps around, and
// the kernel reads before the beginning of A.

__global__ void d26_index_overflow(const float* a, const float* b, float* c, int m, int n, int k,
                                   int lda, int ldb, int ldc) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += a[row * lda + p] * b[size_t(p) * ldb + column];  // finding here
  }
  c[size_t(row) * ldc + column] = sum;
}
