// A, B or both may be transposed: their rows and columns are then exchanged in memory. Only the
// copy into shared memory depends on it. Neighbouring threads load neighbouring addresses either
// way, and a tile that was loaded by columns is transposed while it is stored. Rows of a tile have
// an odd length, so that the elements of a column lie in different banks.

#include "../sgemm.cuh"

namespace sgemm_transposes_parts {

constexpr int tile = 32;
constexpr int rows_per_step = 8;  // rows of a tile that the block loads at a time
constexpr int steps = tile / rows_per_step;

using Tile = float[tile][tile + 1];

/// Loads the tile at `row` and `column` of an operand of rows x columns, transposed or not in
/// memory. Elements outside are zeros.
__device__ inline void fetch(Tile& target, const float* source, bool transposed, int row,
                             int column, int rows, int columns, int leading) {
  for (int step = 0; step < steps; ++step) {
    const int along = threadIdx.x;  // along a line of memory
    const int across = threadIdx.y + step * rows_per_step;
    const int y = transposed ? along : across;
    const int x = transposed ? across : along;
    const size_t element = transposed ? size_t(column + x) * leading + row + y
                                      : size_t(row + y) * leading + column + x;
    target[y][x] = row + y < rows && column + x < columns ? source[element] : 0.0f;
  }
}

__device__ inline void multiply(const float* a, const float* b, float* c, bool ta, bool tb, int m,
                                int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  __shared__ Tile tile_a;
  __shared__ Tile tile_b;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int y = threadIdx.y;
  const int x = threadIdx.x;

  float sums[steps] = {};
  for (int k0 = 0; k0 < k; k0 += tile) {
    fetch(tile_a, a, ta, origin.row, k0, m, k, lda);
    fetch(tile_b, b, tb, k0, origin.column, k, n, ldb);
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < tile; ++p) {
      const float element_of_b = tile_b[p][x];
      for (int step = 0; step < steps; ++step) {
        sums[step] += tile_a[y + step * rows_per_step][p] * element_of_b;
      }
    }
    __syncthreads();  // every warp has read them
  }

  const int column = origin.column + x;
  for (int step = 0; step < steps; ++step) {
    const int row = origin.row + y + step * rows_per_step;
    if (row < m && column < n) {
      sgemm::update(&c[size_t(row) * ldc + column], sums[step], alpha, beta);
    }
  }
}

}  // namespace sgemm_transposes_parts

/// The arguments of the launch choose which operands are transposed.
__global__ void __launch_bounds__(256)
    sgemm_transposes(const float* a, const float* b, float* c, int ta, int tb, int m, int n, int k,
                     int lda, int ldb, int ldc, float alpha, float beta) {
  sgemm_transposes_parts::multiply(a, b, c, ta != 0, tb != 0, m, n, k, lda, ldb, ldc, alpha, beta);
}

/// The same, compiled for one choice.
template <bool ta, bool tb>
__global__ void __launch_bounds__(256)
    sgemm_transposed(const float* a, const float* b, float* c, int m, int n, int k, int lda,
                     int ldb, int ldc, float alpha, float beta) {
  sgemm_transposes_parts::multiply(a, b, c, ta, tb, m, n, k, lda, ldb, ldc, alpha, beta);
}
