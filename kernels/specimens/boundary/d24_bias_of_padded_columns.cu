// Defect 24: each thread loads its column's bias before it checks that the column exists. The
// values read beyond the end are never used, so the result is correct.

__global__ void d24_bias_of_padded_columns(const float* a, const float* b, float* c,
                                           const float* bias, int m, int n, int k, int lda, int ldb,
                                           int ldc) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  float sum = bias[column];  // finding here
  if (column >= n) return;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * lda + p] * b[size_t(p) * ldb + column];
  c[size_t(row) * ldc + column] = sum;
}
