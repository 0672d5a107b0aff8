// Column-major, 64 x 64 tile of C, 4 x 4 elements per thread. Both operands are copied in the order
// in which they lie in memory, one element at a time. A thread stores its four rows of a column
// with one 16-byte store where the address allows it.

#include "../sgemm.cuh"

__global__ void sgemm_column_64(int m, int n, int k, const float* a, int lda, const float* b,
                                int ldb, float* c, int ldc) {
  constexpr int tile = 64;
  constexpr int k_step = 16;
  constexpr int threads = 256;
  __shared__ float tile_a[k_step][tile];  // [k][row]
  __shared__ float tile_b[tile][k_step];  // [column][k]

  const int thread = threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = thread % 16 * 4;  // row in the tile of the thread's 4 x 4 elements
  const int thread_column = thread / 16 * 4;

  float sums[4][4] = {};  // [column][row]
  for (int k0 = 0; k0 < k; k0 += k_step) {
    for (int element = thread; element < tile * k_step; element += threads) {
      const int x = element % tile;
      const int y = element / tile;
      const int row = origin.row + x;
      tile_a[y][x] = row < m && k0 + y < k ? a[size_t(k0 + y) * lda + row] : 0.0f;
    }
    for (int element = thread; element < k_step * tile; element += threads) {
      const int x = element % k_step;
      const int y = element / k_step;
      const int column = origin.column + y;
      tile_b[y][x] = k0 + x < k && column < n ? b[size_t(column) * ldb + k0 + x] : 0.0f;
    }
    __syncthreads();

    for (int p = 0; p < k_step; ++p) {
      for (int j = 0; j < 4; ++j) {
        const float element_of_b = tile_b[thread_column + j][p];
        for (int i = 0; i < 4; ++i) sums[j][i] += tile_a[p][thread_row + i] * element_of_b;
      }
    }
    __syncthreads();
  }

  const int row = origin.row + thread_row;
  for (int j = 0; j < 4; ++j) {
    const int column = origin.column + thread_column + j;
    if (column < n) {
      sgemm::store4(c + size_t(column) * ldc + row, m - row,
                    make_float4(sums[j][0], sums[j][1], sums[j][2], sums[j][3]));
    }
  }
}
