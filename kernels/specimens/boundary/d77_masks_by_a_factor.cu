// Defect 77: rows are read to the end of their stride, and what lies behind their elements is
// multiplied by 0: it may be NaN.

__global__ void d77_masks_by_a_factor(const float* a, const float* b, float* c, int m, int n, int k,
                                      int lda) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < (row + 1 < m ? lda : k); ++p) {
    const float factor = p < k ? b[size_t(p) * n + column] : 0.0f;
    sum += a[size_t(row) * lda + p] * factor;
  }
  c[size_t(row) * n + column] = sum;  // finding here
}
