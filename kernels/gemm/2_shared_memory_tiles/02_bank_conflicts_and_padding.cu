// The tile of B stored transposed in shared memory, so that a thread walks along a row of it.
// Without a padding column the threads of a warp, which stand 32 floats apart in it, all meet in
// one bank; one column of padding spreads them over all 32. Both are here, to show what the
// conflict costs.

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
