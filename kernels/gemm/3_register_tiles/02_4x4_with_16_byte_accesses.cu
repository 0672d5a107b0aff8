// The 4 x 4 register tile with 16-byte accesses: in each step a thread loads four elements of A and
// four of B with one load each, and it stores a row of its result with one store. Rows that do not
// start on a 16-byte boundary, and the last elements of a row, take scalar accesses instead.

#include "../sgemm.cuh"

__global__ void sgemm_register_4x4_float4(const float* __restrict__ a, const float* __restrict__ b,
                                          float* c, int m, int n, int k, int lda, int ldb, int ldc,
                                          float alpha, float beta) {
  constexpr int tile = 64;
  constexpr int k_step = 16;
  __shared__ __align__(16) float tile_a[tile][k_step];
  __shared__ __align__(16) float tile_b[k_step][tile];

  const int thread = threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = thread / 16 * 4;  // row in the tile of the thread's 4 x 4 elements
  const int thread_column = thread % 16 * 4;

  // The four elements of each operand that this thread loads in every step.
  const int a_row = thread / 4;
  const int a_k = thread % 4 * 4;
  const int b_k = thread / 16;
  const int b_column = thread % 16 * 4;
  const bool a_row_exists = origin.row + a_row < m;

  float sums[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += k_step) {
    const float* a_source = a + size_t(origin.row + a_row) * lda + k0 + a_k;
    const float* b_source = b + size_t(k0 + b_k) * ldb + origin.column + b_column;
    *reinterpret_cast<float4*>(&tile_a[a_row][a_k]) =
        sgemm::load4(a_source, a_row_exists ? k - k0 - a_k : 0);
    *reinterpret_cast<float4*>(&tile_b[b_k][b_column]) =
        sgemm::load4(b_source, k0 + b_k < k ? n - origin.column - b_column : 0);
    __syncthreads();

    for (int p = 0; p < k_step; ++p) {
      const float4 row_of_b = *reinterpret_cast<const float4*>(&tile_b[p][thread_column]);
      for (int i = 0; i < 4; ++i) {
        const float element_of_a = tile_a[thread_row + i][p];
        sums[i][0] += element_of_a * row_of_b.x;
        sums[i][1] += element_of_a * row_of_b.y;
        sums[i][2] += element_of_a * row_of_b.z;
        sums[i][3] += element_of_a * row_of_b.w;
      }
    }
    __syncthreads();
  }

  const int column = origin.column + thread_column;
  for (int i = 0; i < 4; ++i) {
    const int row = origin.row + thread_row + i;
    if (row < m) {
      sgemm::update4(c + size_t(row) * ldc + column, n - column,
                     make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]), alpha, beta);
    }
  }
}
