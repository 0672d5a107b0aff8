// Many products of one shape in one launch: the matrices of each operand lie at a constant stride.
// The grid's y axis numbers the products. It ends at 65535 blocks: where it is shorter than the
// batch, a block continues with the product that lies one grid further.

#include "../sgemm.cuh"

namespace sgemm_strided_batch_parts {

constexpr int tile = 16;

/// Offset of an element in its matrix.
template <bool by_column>
__device__ inline size_t offset(int row, int column, int leading) {
  return by_column ? size_t(column) * leading + row : size_t(row) * leading + column;
}

}  // namespace sgemm_strided_batch_parts

template <bool by_column>
__global__ void sgemm_strided_batch(const float* a, const float* b, float* c, int m, int n, int k,
                                    int lda, int ldb, int ldc, int batch, size_t stride_a,
                                    size_t stride_b, size_t stride_c, float alpha, float beta) {
  using namespace sgemm_strided_batch_parts;
  __shared__ float tile_a[tile][tile + 1];  // padding column, see below
  __shared__ float tile_b[tile][tile + 1];

  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  // Neighbouring threads take neighbouring addresses: along a row of the tile, or along a column,
  // whose elements lie in different banks because a row of the tile has an odd length.
  const int y = by_column ? threadIdx.x : threadIdx.y;
  const int x = by_column ? threadIdx.y : threadIdx.x;
  const int row = origin.row + y;
  const int column = origin.column + x;

  for (int product = blockIdx.y; product < batch; product += gridDim.y) {
    const float* const a_of_product = a + product * stride_a;
    const float* const b_of_product = b + product * stride_b;
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += tile) {
      const bool a_exists = row < m && k0 + x < k;
      const bool b_exists = k0 + y < k && column < n;
      tile_a[y][x] = a_exists ? a_of_product[offset<by_column>(row, k0 + x, lda)] : 0.0f;
      tile_b[y][x] = b_exists ? b_of_product[offset<by_column>(k0 + y, column, ldb)] : 0.0f;
      __syncthreads();  // the tiles are complete
      for (int p = 0; p < tile; ++p) sum += tile_a[y][p] * tile_b[p][x];
      __syncthreads();  // every warp has read them
    }
    if (row < m && column < n) {
      sgemm::update(c + product * stride_c + offset<by_column>(row, column, ldc), sum, alpha, beta);
    }
  }
}
