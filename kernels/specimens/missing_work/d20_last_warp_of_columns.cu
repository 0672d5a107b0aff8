// Defect 20: a warp computes a row of C in full steps of 32 columns. The columns beyond the last
// full step are never written.

__global__ void d20_last_warp_of_columns(const float* a, const float* b, float* c,  // finding here
                                         int n, int k) {
  const int row = blockIdx.x;
  const int lane = threadIdx.x;

  for (int step = 0; step < n / 32; ++step) {
    const int column = step * 32 + lane;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
    c[size_t(row) * n + column] = sum;
  }
}
