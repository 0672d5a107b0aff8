// Defect 17: beta * C is added even where beta is 0, and C may then hold anything: 0 * NaN is NaN.

__global__ void d17_beta_zero_reads_c(const float* a, const float* b, float* c, int m, int n, int k,
                                      int lda, int ldb, int ldc, float alpha, float beta) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * lda + p] * b[size_t(p) * ldb + column];
  const float product = alpha == 0.0f ? 0.0f : alpha * sum;
  float& element = c[size_t(row) * ldc + column];
  element = product + beta * element;  // finding here
}
