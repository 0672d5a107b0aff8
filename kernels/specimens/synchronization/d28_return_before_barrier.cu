// Defect 28: threads below the last row return before barriers at which the others wait. The first
// thread, which never returns early, stores the column of B, so that nothing else depends on the
// threads that returned.

__global__ void d28_return_before_barrier(const float* a, const float* b, float* c, int m, int n,
                                          int k) {
  constexpr int k_step = 32;
  __shared__ float column_of_b[k_step];

  const int column = blockIdx.x;
  const int row = blockIdx.y * blockDim.x + threadIdx.x;
  if (row >= m) return;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += k_step) {
    const int steps = min(k_step, k - k0);
    if (threadIdx.x == 0) {
      for (int p = 0; p < steps; ++p) column_of_b[p] = b[size_t(k0 + p) * n + column];
    }
    __syncthreads();  // finding here
    for (int p = 0; p < steps; ++p) sum += a[size_t(row) * k + k0 + p] * column_of_b[p];
    __syncthreads();
  }
  c[size_t(row) * n + column] = sum;
}
