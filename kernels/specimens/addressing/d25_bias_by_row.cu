// Defect 25: the bias belongs to the columns of C and is indexed by the row.

__global__ void d25_bias_by_row(const float* a, const float* b, float* c, const float* bias, int m,
                                int n, int k) {
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= size_t(m) * n) return;
  const size_t row = element / n;
  const size_t column = element % n;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[size_t(p) * n + column];
  c[element] = sum + bias[row];  // finding here
}
