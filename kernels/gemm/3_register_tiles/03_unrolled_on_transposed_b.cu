// Register tiles on a transposed tile of B, unrolled: 8 x 8 threads compute a 32 x 32 tile of C,
// 4 x 4 elements each. Both tiles are read along k, so that the unrolled loop addresses them by
// constants. The padding column keeps the stores into the tile of B free of bank conflicts.

#include "../sgemm.cuh"

__global__ void sgemm_register_transposed_b(int m, int n, int k, const float* a, const float* b,
                                            float* c) {
  constexpr int tile = 32;
  constexpr int threads = 64;
  __shared__ float tile_a[tile][tile + 1];  // [row][k]
  __shared__ float tile_b[tile][tile + 1];  // [column][k]

  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = threadIdx.y * 4;  // row in the tile of the thread's 4 x 4 elements
  const int thread_column = threadIdx.x * 4;

  float sums[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += tile) {
    for (int element = thread; element < tile * tile; element += threads) {
      const int y = element / tile;
      const int x = element % tile;
      const int row = origin.row + y;
      const int column = origin.column + x;
      tile_a[y][x] = row < m && k0 + x < k ? a[size_t(row) * k + k0 + x] : 0.0f;
      tile_b[x][y] = k0 + y < k && column < n ? b[size_t(k0 + y) * n + column] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int p = 0; p < tile; ++p) {
      float column_of_a[4];
      float row_of_b[4];
      for (int i = 0; i < 4; ++i) column_of_a[i] = tile_a[thread_row + i][p];
      for (int j = 0; j < 4; ++j) row_of_b[j] = tile_b[thread_column + j][p];
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
      if (row < m && column < n) c[size_t(row) * n + column] = sums[i][j];
    }
  }
}
