// Defect 33: a thread computes two rows. Where m is odd, the last thread reads the row after the
// last of A. Its sum is discarded, so that no comparison of results can show it.

__global__ void d33_reads_one_row_beyond_a(const float* a, const float* b, float* c, int m, int n,
                                           int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  float sum_below = 0.0f;
  for (int p = 0; p < k; ++p) {
    const float element_of_b = b[size_t(p) * n + column];
    sum += a[size_t(row) * k + p] * element_of_b;
    sum_below += a[size_t(row + 1) * k + p] * element_of_b;  // finding here
  }
  c[size_t(row) * n + column] = sum;
  if (row + 1 < m) c[size_t(row + 1) * n + column] = sum_below;
}
