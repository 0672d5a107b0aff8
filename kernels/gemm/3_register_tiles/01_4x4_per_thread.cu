// Register tiles: a thread computes 4 x 4 elements of C, so that 8 values read from shared memory
// serve 16 multiply-adds; without register tiles, 2 values serve one. 256 threads compute a tile of
// 64 x 64 elements and take 16 elements of k per step.

#include "../sgemm.cuh"

__global__ void sgemm_register_4x4(const float* a, const float* b, float* c, int m, int n, int k,
                                   int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int tile = 64;
  constexpr int k_step = 16;
  constexpr int threads = 256;
  __shared__ float tile_a[tile][k_step];
  __shared__ float tile_b[k_step][tile];

  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = threadIdx.y * 4;  // row in the tile of the thread's 4 x 4 elements
  const int thread_column = threadIdx.x * 4;

  float sums[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += k_step) {
    for (int element = thread; element < tile * k_step; element += threads) {
      const int y = element / k_step;
      const int x = element % k_step;
      const int row = origin.row + y;
      tile_a[y][x] = row < m && k0 + x < k ? a[size_t(row) * lda + k0 + x] : 0.0f;
    }
    for (int element = thread; element < k_step * tile; element += threads) {
      const int y = element / tile;
      const int x = element % tile;
      const int column = origin.column + x;
      tile_b[y][x] = k0 + y < k && column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    }
    __syncthreads();

    for (int p = 0; p < k_step; ++p) {
      float column_of_a[4];
      float row_of_b[4];
      for (int i = 0; i < 4; ++i) column_of_a[i] = tile_a[thread_row + i][p];
      for (int j = 0; j < 4; ++j) row_of_b[j] = tile_b[p][thread_column + j];
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] += column_of_a[i] * row_of_b[j];
      }
    }
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int row = origin.row + thread_row + i;
      const int column = origin.column + thread_column + j;
      if (row < m && column < n) {
        sgemm::update(&c[size_t(row) * ldc + column], sums[i][j], alpha, beta);
      }
    }
  }
}
