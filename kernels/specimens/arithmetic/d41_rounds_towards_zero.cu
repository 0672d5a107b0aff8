// Defect 41: sums are rounded towards zero, not to nearest. A bound on the error of rounding to
// nearest does not show it in sums of many terms, because the bound grows with their number.

__global__ void d41_rounds_towards_zero(const float* a, const float* b, float* c, int m, int n,
                                        int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum = __fmaf_rz(a[size_t(row) * k + p], b[size_t(p) * n + column], sum);
  }
  c[size_t(row) * n + column] = sum;  // finding here
}
