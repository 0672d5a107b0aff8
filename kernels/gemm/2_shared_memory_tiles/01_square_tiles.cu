// Tiles in shared memory: a block computes a square tile of C. In each step along k it loads one
// tile of A and one of B, so that each loaded element serves `width` threads. Elements outside the
// matrices are stored as zeros, which keeps the inner loop free of edge tests.

#include "../sgemm.cuh"

template <int width>
__global__ void sgemm_tiled(const float* a, const float* b, float* c, int m, int n, int k, int lda,
                            int ldb, int ldc) {
  __shared__ float tile_a[width][width];
  __shared__ float tile_b[width][width];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const sgemm::TileOrigin origin = sgemm::tile_origin<width, width>(n);
  const int row = origin.row + y;
  const int column = origin.column + x;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += width) {
    tile_a[y][x] = row < m && k0 + x < k ? a[size_t(row) * lda + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < k && column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    __syncthreads();  // the tiles are complete

    for (int p = 0; p < width; ++p) {
      sum += tile_a[y][p] * tile_b[p][x];
    }
    __syncthreads();  // every warp has read them
  }

  if (row < m && column < n) c[size_t(row) * ldc + column] = sum;
}
