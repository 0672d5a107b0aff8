// A kernel without edge tests: the caller pads the matrices with zeros to multiples of the tile and
// takes the result from the padded C. `requires` demands such sizes. Rows start on 16-byte
// boundaries, so that every access of a thread moves four elements.

#include "../sgemm.cuh"

__global__ void sgemm_padded(const float* __restrict__ a, const float* __restrict__ b, float* c,
                             int m, int n, int k, int lda, int ldb, int ldc) {
  constexpr int tile = 32;
  constexpr int per_thread = 4;  // consecutive elements of a row
  __shared__ float4 tile_a[tile][tile / per_thread];
  __shared__ float4 tile_b[tile][tile / per_thread];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int row = origin.row + y;
  const int column = origin.column + per_thread * x;

  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k0 = 0; k0 < k; k0 += tile) {
    tile_a[y][x] = *reinterpret_cast<const float4*>(a + size_t(row) * lda + k0 + per_thread * x);
    tile_b[y][x] = *reinterpret_cast<const float4*>(b + size_t(k0 + y) * ldb + column);
    __syncthreads();  // the tiles are complete

    for (int q = 0; q < tile / per_thread; ++q) {
      const float4 of_a = tile_a[y][q];
      const float elements_of_a[per_thread] = {of_a.x, of_a.y, of_a.z, of_a.w};
      for (int p = 0; p < per_thread; ++p) {
        const float4 of_b = tile_b[per_thread * q + p][x];
        sum.x += elements_of_a[p] * of_b.x;
        sum.y += elements_of_a[p] * of_b.y;
        sum.z += elements_of_a[p] * of_b.z;
        sum.w += elements_of_a[p] * of_b.w;
      }
    }
    __syncthreads();  // every warp has read them
  }

  *reinterpret_cast<float4*>(c + size_t(row) * ldc + column) = sum;
}
