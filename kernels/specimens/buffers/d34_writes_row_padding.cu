// Defect 34: C is treated as one flat array, so that the padding between its rows is written as
// well.

__global__ void d34_writes_row_padding(const float* a, const float* b, float* c, int m, int n,
                                       int k, int lda, int ldb, int ldc) {
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= size_t(m - 1) * ldc + n) return;
  const int row = element / ldc;
  const int column = element % ldc;

  float sum = 0.0f;
  if (column < n) {
    for (int p = 0; p < k; ++p) sum += a[size_t(row) * lda + p] * b[size_t(p) * ldb + column];
  }
  c[element] = sum;  // finding here
}
