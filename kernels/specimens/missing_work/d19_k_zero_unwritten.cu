// Defect 19: with k = 0 there is nothing to multiply, and the kernel returns; but the product is
// then a matrix of zeros, which has to be written.

__global__ void d19_k_zero_unwritten(const float* a, const float* b, float* c,  // finding here
                                     int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n || k == 0) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  c[size_t(row) * n + column] = sum;
}
