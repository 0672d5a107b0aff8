/* warpcheck
[[variant]]
name      = "sgemm"
kernel    = "sgemm"
operation = "gemm"
layout    = "row"
types     = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k", "alpha", "beta"]
block     = [16, 16]
grid      = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
requires  = ["m <= 1048560"]                     # a grid has at most 65535 blocks along y
*/

#include "tile.cuh"

// Computes C <- alpha A B + beta C with tiles in shared memory.
__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k, float alpha,
                      float beta) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = element_or_zero(a, row, k0 + threadIdx.x, m, k);
    tile_b[threadIdx.y][threadIdx.x] = element_or_zero(b, k0 + threadIdx.y, column, k, n);
    __syncthreads();
    for (int p = 0; p < kTile; ++p) sum += tile_a[threadIdx.y][p] * tile_b[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) {
    float* const out = c + size_t(row) * n + column;
    const float product = alpha == 0.0f ? 0.0f : alpha * sum;  // BLAS ignores NaN of A and B, too
    *out = beta == 0.0f ? product : product + beta * *out;
  }
}
