// Defect 10: the first tile along k is assumed to be whole and read without a predicate; only the
// later ones are masked. Wrong where k is smaller than the tile, correct for every other k.

__global__ void d10_first_k_tile_unpredicated(const float* a, const float* b, float* c, int m,
                                              int n, int k, int lda, int ldb, int ldc) {
  constexpr int tile = 16;
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += tile) {
    const bool load_a = row < m && (k0 == 0 || k0 + x < k);
    const bool load_b = column < n && (k0 == 0 || k0 + y < k);
    tile_a[y][x] = load_a ? a[size_t(row) * lda + k0 + x] : 0.0f;     // finding here
    tile_b[y][x] = load_b ? b[size_t(k0 + y) * ldb + column] : 0.0f;  // finding here
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * ldc + column] = sum;
}
