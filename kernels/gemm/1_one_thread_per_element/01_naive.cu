// The first rung: one thread computes one element of C from operands in global memory. Each element
// of A is loaded n times and each element of B m times. Every later level reduces the number of
// these loads.

__global__ void sgemm_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;

  // The grid's y axis ends at 65535 blocks, m does not: each thread steps over the rows.
  const int rows_per_step = gridDim.y * blockDim.y;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += rows_per_step) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
    }
    c[size_t(row) * n + column] = sum;
  }
}
