// Defect 18: the path for whole tiles of C does not read C where beta is 0, but the path for tiles
// at the edge does.

__global__ void d18_edge_beta_zero_reads_c(const float* a, const float* b, float* c, int m, int n,
                                           int k, int lda, int ldb, int ldc, float alpha,
                                           float beta) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool whole_tile = (blockIdx.x + 1) * blockDim.x <= n && (blockIdx.y + 1) * blockDim.y <= m;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * lda + p] * b[size_t(p) * ldb + column];
  const float product = alpha == 0.0f ? 0.0f : alpha * sum;
  float& element = c[size_t(row) * ldc + column];
  if (whole_tile && beta == 0.0f) {
    element = product;
  } else {
    element = product + beta * element;  // finding here
  }
}
