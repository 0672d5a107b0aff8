// Column-major, 64 x 64 tile of C, everything in fours: A and B are loaded by 16-byte loads, B is
// transposed on its way into shared memory, and so the inner loop reads its four rows of A and its
// four columns of B by one 16-byte load each.

#include "../sgemm.cuh"

__global__ void sgemm_column_64_vectorised(int m, int n, int k, const float* __restrict__ a,
                                           int lda, const float* __restrict__ b, int ldb, float* c,
                                           int ldc) {
  constexpr int tile = 64;
  constexpr int k_step = 16;
  __shared__ __align__(16) float tile_a[k_step][tile];  // [k][row]
  __shared__ __align__(16) float tile_b[k_step][tile];  // [k][column]

  const int thread = threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = thread % 16 * 4;  // row in the tile of the thread's 4 x 4 elements
  const int thread_column = thread / 16 * 4;

  // The four elements of each operand that this thread loads in every step.
  const int a_row = thread % 16 * 4;
  const int a_k = thread / 16;
  const int b_k = thread % 4 * 4;
  const int b_column = thread / 4;
  const bool b_column_exists = origin.column + b_column < n;

  float sums[4][4] = {};  // [column][row]
  for (int k0 = 0; k0 < k; k0 += k_step) {
    const float* a_source = a + size_t(k0 + a_k) * lda + origin.row + a_row;
    const float* b_source = b + size_t(origin.column + b_column) * ldb + k0 + b_k;
    *reinterpret_cast<float4*>(&tile_a[a_k][a_row]) =
        sgemm::load4(a_source, k0 + a_k < k ? m - origin.row - a_row : 0);
    const float4 along_k = sgemm::load4(b_source, b_column_exists ? k - k0 - b_k : 0);
    tile_b[b_k + 0][b_column] = along_k.x;
    tile_b[b_k + 1][b_column] = along_k.y;
    tile_b[b_k + 2][b_column] = along_k.z;
    tile_b[b_k + 3][b_column] = along_k.w;
    __syncthreads();

    for (int p = 0; p < k_step; ++p) {
      const float4 rows = *reinterpret_cast<const float4*>(&tile_a[p][thread_row]);
      const float4 columns = *reinterpret_cast<const float4*>(&tile_b[p][thread_column]);
      const float elements_of_b[4] = {columns.x, columns.y, columns.z, columns.w};
      for (int j = 0; j < 4; ++j) {
        sums[j][0] += rows.x * elements_of_b[j];
        sums[j][1] += rows.y * elements_of_b[j];
        sums[j][2] += rows.z * elements_of_b[j];
        sums[j][3] += rows.w * elements_of_b[j];
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
