// Defect 13: the loop of the double buffer multiplies all tiles but the last. The product after the
// loop always reads buffer 1, which holds the last tile only if the number of tiles is even. If it
// is odd, the tile before counts twice and the last one not at all; with a single tile, buffer 1
// was never filled.
#include <cuda_pipeline.h>

constexpr int tile = 16;

__device__ float product(const float (&a)[tile][tile], const float (&b)[tile][tile]) {
  float sum = 0.0f;
  for (int p = 0; p < tile; ++p) sum += a[threadIdx.y][p] * b[p][threadIdx.x];
  return sum;
}

__global__ void d13_last_buffer_hard_coded(const float* a, const float* b, float* c, int m, int n,
                                           int k) {
  __shared__ float tile_a[2][tile][tile];
  __shared__ float tile_b[2][tile][tile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  const int tiles = (k + tile - 1) / tile;

  const auto copy = [&](int t) {
    const int of_a = t * tile + x;
    const int of_b = t * tile + y;
    __pipeline_memcpy_async(&tile_a[t % 2][y][x], &a[size_t(row) * k + of_a], sizeof(float),
                            row < m && of_a < k ? 0 : sizeof(float));
    __pipeline_memcpy_async(&tile_b[t % 2][y][x], &b[size_t(of_b) * n + column], sizeof(float),
                            of_b < k && column < n ? 0 : sizeof(float));
    __pipeline_commit();
  };

  float sum = 0.0f;
  if (tiles > 0) copy(0);
  for (int t = 0; t + 1 < tiles; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    copy(t + 1);
    sum += product(tile_a[t % 2], tile_b[t % 2]);
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  if (tiles > 0) sum += product(tile_a[1], tile_b[1]);

  if (row < m && column < n) {
    c[size_t(row) * n + column] = sum;  // finding here
  }
}
