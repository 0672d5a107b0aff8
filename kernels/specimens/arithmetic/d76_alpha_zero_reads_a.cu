// Defect 76: alpha is multiplied with the sum even where it is 0, and A and B may then hold
// anything: 0 * NaN is NaN.

__global__ void d76_alpha_zero_reads_a(const float* a, const float* b, float* c, int m, int n,
                                       int k, float alpha, float beta) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  float& element = c[size_t(row) * n + column];
  const float rest = beta == 0.0f ? 0.0f : beta * element;
  element = alpha * sum + rest;  // finding here
}
