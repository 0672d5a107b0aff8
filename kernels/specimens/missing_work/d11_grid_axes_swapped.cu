// Defect 11: the contract launches the grid with its axes swapped. The kernel is correct; where m
// and n need different numbers of blocks, no block computes part of C.

__global__ void d11_grid_axes_swapped(const float* a, const float* b, float* c,  // finding here
                                      int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  c[size_t(row) * n + column] = sum;
}
