// Defect 15: the tiles are multiplied before the kernel waits for the copies that fill them. The
// barrier waits for the other threads, not for their asynchronous copies.
#include <cuda_pipeline.h>

__global__ void d15_copy_read_before_wait(const float* a, const float* b, float* c, int m, int n,
                                          int k) {
  constexpr int tile = 16;
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += tile) {
    tile_a[y][x] = 0.0f;
    tile_b[y][x] = 0.0f;
    if (row < m && k0 + x < k) {
      __pipeline_memcpy_async(&tile_a[y][x], &a[size_t(row) * k + k0 + x], sizeof(float));
    }
    if (k0 + y < k && column < n) {
      __pipeline_memcpy_async(&tile_b[y][x], &b[size_t(k0 + y) * n + column], sizeof(float));
    }
    __pipeline_commit();
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += tile_a[y][p] * tile_b[p][x];  // finding here
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  if (row < m && column < n) {
    c[size_t(row) * n + column] = sum;
  }
}
