// Column-major, first rung: a warp computes 32 rows of four columns of C. Each lane holds its row
// of A and one element of each column of B. The lanes exchange the elements of B by warp shuffles,
// so that no operand passes through shared memory. The running sums lie there instead, to show the
// cost: every multiply-add reads and writes shared memory (volatile keeps the compiler from moving
// the sums into registers).

#include "../sgemm.cuh"

__global__ void sgemm_column_shuffle(int m, int n, int k, const float* a, int lda, const float* b,
                                     int ldb, float* c, int ldc) {
  constexpr int tile = 32;
  constexpr int columns_per_warp = 4;
  constexpr unsigned all_lanes = 0xffffffffu;
  __shared__ volatile float sums[tile][tile];  // [column][row]; an element belongs to one thread

  const int lane = threadIdx.x;
  const int warp_column = threadIdx.y * columns_per_warp;  // column in the tile of the warp's first
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int row = origin.row + lane;

  for (int j = 0; j < columns_per_warp; ++j) sums[warp_column + j][lane] = 0.0f;

  for (int k0 = 0; k0 < k; k0 += tile) {
    float elements_of_b[columns_per_warp];
    for (int j = 0; j < columns_per_warp; ++j) {
      const int column = origin.column + warp_column + j;
      elements_of_b[j] = k0 + lane < k && column < n ? b[size_t(column) * ldb + k0 + lane] : 0.0f;
    }
    const int steps = min(tile, k - k0);  // the same for all lanes: all take part in a shuffle
    for (int p = 0; p < steps; ++p) {
      const float element_of_a = row < m ? a[size_t(k0 + p) * lda + row] : 0.0f;
      for (int j = 0; j < columns_per_warp; ++j) {
        const float sum = sums[warp_column + j][lane];
        sums[warp_column + j][lane] =
            sum + element_of_a * __shfl_sync(all_lanes, elements_of_b[j], p);
      }
    }
  }

  for (int j = 0; j < columns_per_warp; ++j) {
    const int column = origin.column + warp_column + j;
    if (row < m && column < n) c[size_t(column) * ldc + row] = sums[warp_column + j][lane];
  }
}
