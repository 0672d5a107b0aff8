// Defect 3: elements outside the matrices are not stored as zeros in the tiles, but the product
// runs over whole tiles. In the first tile it multiplies uninitialized memory, in later tiles
// values of the tile before.

__global__ void d03_tile_not_zero_filled(const float* a, const float* b, float* c, int m, int n,
                                         int k, int lda, int ldb, int ldc) {
  constexpr int tile = 16;
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += tile) {
    if (row < m && k0 + x < k) tile_a[y][x] = a[size_t(row) * lda + k0 + x];
    if (k0 + y < k && column < n) tile_b[y][x] = b[size_t(k0 + y) * ldb + column];
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  if (row < m && column < n) {
    c[size_t(row) * ldc + column] = sum;  // finding here
  }
}
