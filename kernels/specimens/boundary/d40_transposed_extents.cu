// Defect 40: A may be transposed, and the guard of its tile then compares the wrong extents: rows
// with m, columns with k.

__global__ void d40_transposed_extents(const float* a, const float* b, float* c, int ta, int m,
                                       int n, int k, int lda, int ldb, int ldc) {
  __shared__ float tile_a[8][8];
  __shared__ float tile_b[8][8];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * 8 + y;
  const int column = blockIdx.x * 8 + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += 8) {
    if (ta) {
      const int stored_row = k0 + y;
      const int stored_column = blockIdx.y * 8 + x;
      tile_a[x][y] = 0.0f;
      if (stored_row < m && stored_column < k) {
        tile_a[x][y] = a[size_t(stored_row) * lda + stored_column];  // finding here
      }
    } else {
      tile_a[y][x] = row < m && k0 + x < k ? a[size_t(row) * lda + k0 + x] : 0.0f;
    }
    tile_b[y][x] = k0 + y < k && column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    __syncthreads();
    for (int p = 0; p < 8; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * ldc + column] = sum;  // finding here
}
