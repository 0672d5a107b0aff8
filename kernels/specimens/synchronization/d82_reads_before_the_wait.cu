// Defect 82: the kernel may begin before the preceding one has completed, which writes A. It waits
// for its completion only after the product.

__global__ void d82_reads_before_the_wait(const float* a, const float* b, float* c, int m, int n,
                                          int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];  // finding here
  }
  cudaGridDependencySynchronize();
  c[size_t(row) * n + column] = sum;
}
