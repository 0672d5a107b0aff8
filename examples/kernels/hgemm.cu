/* warpcheck
[[variant]]
name      = "hgemm"
kernel    = "hgemm"
operation = "gemm"
layout    = "row"
types     = { a = "f16", b = "f16", c = "f16", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k"]
block     = [16, 16]
grid      = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
requires  = ["m <= 1048560"]
*/

#include <cuda_fp16.h>

#include "tile.cuh"

// Computes C <- A B with sums in float.
__global__ void hgemm(const __half* a, const __half* b, __half* c, int m, int n, int k) {
  __shared__ __half tile_a[kTile][kTile];
  __shared__ __half tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = element_or_zero(a, row, k0 + threadIdx.x, m, k);
    tile_b[threadIdx.y][threadIdx.x] = element_or_zero(b, k0 + threadIdx.y, column, k, n);
    __syncthreads();
    for (int p = 0; p < kTile; ++p) {
      sum += __half2float(tile_a[threadIdx.y][p]) * __half2float(tile_b[p][threadIdx.x]);
    }
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * n + column] = __float2half(sum);
}
