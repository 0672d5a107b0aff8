// Defect 12: the guard has && instead of ||, so that only threads that are outside in both
// directions return.

__global__ void d12_guard_and_for_or(const float* a, const float* b, float* c, int m, int n,
                                     int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m && column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];  // finding here
  }
  c[size_t(row) * n + column] = sum;  // finding here
}
