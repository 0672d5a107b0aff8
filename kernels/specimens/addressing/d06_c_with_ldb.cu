// Defect 6: C is addressed with B's leading dimension. Where the two differ, the second row of C is
// stored in the wrong place: past the end of C, in its padding or among its other elements.

__global__ void d06_c_with_ldb(const float* a, const float* b, float* c,  // finding here
                               int m, int n, int k, int lda, int ldb, int ldc) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * lda + p] * b[size_t(p) * ldb + column];
  c[size_t(row) * ldb + column] = sum;  // finding here
}
