// Defect 4: no barrier at the end of the loop over k. A warp that has finished its product stores
// the next tiles while others still read these. Correct while the warps run in lockstep.

__global__ void d04_no_barrier_after_product(const float* a, const float* b, float* c, int m, int n,
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
    const float of_a = row < m && k0 + x < k ? a[size_t(row) * lda + k0 + x] : 0.0f;
    const float of_b = k0 + y < k && column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    tile_a[y][x] = of_a;  // finding here
    tile_b[y][x] = of_b;  // finding here
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += tile_a[y][p] * tile_b[p][x];  // finding here
  }
  if (row < m && column < n) {
    c[size_t(row) * ldc + column] = sum;
  }
}
