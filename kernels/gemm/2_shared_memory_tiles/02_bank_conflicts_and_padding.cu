// The tile of B is stored transposed in shared memory, so that a thread reads along a row of it.
// Without padding, the elements that a warp reads at once lie 32 floats apart: all are in one bank,
// and the read takes 32 turns. One padding column spreads them over all 32 banks. Both variants are
// here, to show the cost of the conflict.

#include "../sgemm.cuh"

namespace transposed_b {

template <int width, int padding>
__global__ void sgemm_tiled(const float* __restrict__ a, const float* __restrict__ b, float* c,
                            int m, int n, int k, int lda, int ldb, int ldc, float alpha,
                            float beta) {
  __shared__ float tile_a[width][width];
  __shared__ float tile_b[width][width + padding];  // [column][k]

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const sgemm::TileOrigin origin = sgemm::tile_origin<width, width>(n);
  const int row = origin.row + y;
  const int column = origin.column + x;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += width) {
    tile_a[y][x] = row < m && k0 + x < k ? a[size_t(row) * lda + k0 + x] : 0.0f;
    tile_b[x][y] = k0 + y < k && column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    __syncthreads();

    for (int p = 0; p < width; ++p) {
      sum += tile_a[y][p] * tile_b[x][p];
    }
    __syncthreads();
  }

  if (row < m && column < n) sgemm::update(&c[size_t(row) * ldc + column], sum, alpha, beta);
}

}  // namespace transposed_b
