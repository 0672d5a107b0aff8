// Defect 26: the place of a row is counted in an int. Where lda * row passes 2^31 it wraps around,
// and the row is sought before the beginning of A.

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
