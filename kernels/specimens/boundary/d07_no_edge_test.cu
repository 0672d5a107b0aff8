// Defect 7: no edge test at all. Correct where m and n are multiples of the block.

__global__ void d07_no_edge_test(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];  // finding here
  }
  c[size_t(row) * n + column] = sum;  // finding here
}
