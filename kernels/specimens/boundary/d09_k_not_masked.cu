// Defect 9: the loads of the tiles are masked on m and n but not on k. The last tile reads the
// columns after the last of A and the rows after the last of B, and they enter the product.

__global__ void d09_k_not_masked(const float* a, const float* b, float* c, int m, int n, int k,
                                 int lda, int ldb, int ldc) {
  constexpr int tile = 16;
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += tile) {
    tile_a[y][x] = row < m ? a[size_t(row) * lda + k0 + x] : 0.0f;        // finding here
    tile_b[y][x] = column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;  // finding here
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * ldc + column] = sum;
}
