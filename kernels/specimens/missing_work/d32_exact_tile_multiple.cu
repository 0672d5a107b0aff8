// Defect 32: the last tile has m % 8 rows, and therefore none where m is a multiple of 8.

__global__ void d32_exact_tile_multiple(const float* a, const float* b, float* c,  // finding here
                                        int m, int n, int k) {
  constexpr int tile = 8;
  const int column = blockIdx.x * tile + threadIdx.x;
  const int row = blockIdx.y * tile + threadIdx.y;
  const int rows_of_tile = blockIdx.y + 1 < gridDim.y ? tile : m % tile;
  if (threadIdx.y >= rows_of_tile || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  c[size_t(row) * n + column] = sum;
}
