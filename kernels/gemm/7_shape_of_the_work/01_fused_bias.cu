// A fused bias: the kernel adds the bias of each column while the sum is still in a register. A
// launch of its own would read and write C once more. A thread computes four neighbouring columns
// and loads their biases at once, but only those that exist.

#include "../sgemm.cuh"

__global__ void sgemm_bias(const float* a, const float* b, const float* bias, float* c, int m,
                           int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int tile = 32;
  __shared__ __align__(16) float tile_a[tile][tile];
  __shared__ __align__(16) float tile_b[tile][tile];

  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int y = threadIdx.y;
  const int x = threadIdx.x * 4;
  const int row = origin.row + y;
  const int column = origin.column + x;

  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k0 = 0; k0 < k; k0 += tile) {
    *reinterpret_cast<float4*>(&tile_a[y][x]) =
        sgemm::load4(a + size_t(row) * lda + k0 + x, row < m ? k - k0 - x : 0);
    *reinterpret_cast<float4*>(&tile_b[y][x]) =
        sgemm::load4(b + size_t(k0 + y) * ldb + column, k0 + y < k ? n - column : 0);
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < tile; ++p) {
      const float element_of_a = tile_a[y][p];
      const float4 row_of_b = *reinterpret_cast<const float4*>(&tile_b[p][x]);
      sum.x += element_of_a * row_of_b.x;
      sum.y += element_of_a * row_of_b.y;
      sum.z += element_of_a * row_of_b.z;
      sum.w += element_of_a * row_of_b.w;
    }
    __syncthreads();  // every warp has read them
  }

  if (row < m) {
    float* const elements = c + size_t(row) * ldc + column;
    const int valid = n - column;
    float4 value = sgemm::updated4(elements, valid, sum, alpha, beta);
    const float4 bias_of_columns = sgemm::load4(bias + column, valid);
    value.x += bias_of_columns.x;
    value.y += bias_of_columns.y;
    value.z += bias_of_columns.z;
    value.w += bias_of_columns.w;
    sgemm::store4(elements, valid, value);
  }
}
