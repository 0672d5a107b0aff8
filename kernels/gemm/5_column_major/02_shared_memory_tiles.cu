// Column-major, operands in shared memory, sums in registers: 32 x 8 threads load 32 x 32 tiles of
// A and B, and each thread computes four columns of one row of C. A warp reads one column of the
// tile of A (32 banks) and a single element of B (a broadcast), without bank conflicts.

#include "../sgemm.cuh"

__global__ void sgemm_column_shared(int m, int n, int k, const float* a, int lda, const float* b,
                                    int ldb, float* c, int ldc) {
  constexpr int tile = 32;
  constexpr int columns_per_thread = 4;
  __shared__ float tile_a[tile][tile];  // [k][row]
  __shared__ float tile_b[tile][tile];  // [column][k]

  const int x = threadIdx.x;
  const int thread_column = threadIdx.y * columns_per_thread;  // column in the tile
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int row = origin.row + x;

  float sums[columns_per_thread] = {};
  for (int k0 = 0; k0 < k; k0 += tile) {
    for (int y = threadIdx.y; y < tile; y += blockDim.y) {
      const int column = origin.column + y;
      tile_a[y][x] = row < m && k0 + y < k ? a[size_t(k0 + y) * lda + row] : 0.0f;
      tile_b[y][x] = k0 + x < k && column < n ? b[size_t(column) * ldb + k0 + x] : 0.0f;
    }
    __syncthreads();

    for (int p = 0; p < tile; ++p) {
      for (int j = 0; j < columns_per_thread; ++j) {
        sums[j] += tile_a[p][x] * tile_b[thread_column + j][p];
      }
    }
    __syncthreads();
  }

  for (int j = 0; j < columns_per_thread; ++j) {
    const int column = origin.column + thread_column + j;
    if (row < m && column < n) c[size_t(column) * ldc + row] = sums[j];
  }
}
