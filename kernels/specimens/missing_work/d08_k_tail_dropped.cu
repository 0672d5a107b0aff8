// Defect 8: eight elements of k per step, and the number of steps is rounded down. The last k % 8
// elements are ignored.

__global__ void d08_k_tail_dropped(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int step = 0; step < k >> 3; ++step) {
    for (int p = step * 8; p < step * 8 + 8; ++p) {
      sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
    }
  }
  c[size_t(row) * n + column] = sum;  // finding here
}
