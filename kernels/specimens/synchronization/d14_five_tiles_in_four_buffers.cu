// Defect 14: a pipeline of four buffers that keeps four tiles in flight besides the one that is
// multiplied. The fifth is copied into the buffer that is being read. With one barrier per step the
// copy mostly arrives too late to change the result.
#include <cuda_pipeline.h>

__global__ void d14_five_tiles_in_four_buffers(const float* a, const float* b, float* c, int m,
                                               int n, int k) {
  constexpr int tile = 16;
  constexpr int buffers = 4;
  constexpr int ahead = 4;  // tiles in flight; one less than buffers would be correct
  __shared__ float tile_a[buffers][tile][tile];
  __shared__ float tile_b[buffers][tile][tile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  const int tiles = (k + tile - 1) / tile;

  const auto copy = [&](int t) {
    const int of_a = t * tile + x;
    const int of_b = t * tile + y;
    if (t < tiles) {
      float* const to_a = &tile_a[t % buffers][y][x];
      float* const to_b = &tile_b[t % buffers][y][x];
      const size_t zeros_a = row < m && of_a < k ? 0 : sizeof(float);
      const size_t zeros_b = of_b < k && column < n ? 0 : sizeof(float);
      __pipeline_memcpy_async(to_a, &a[size_t(row) * k + of_a], 4, zeros_a);     // finding here
      __pipeline_memcpy_async(to_b, &b[size_t(of_b) * n + column], 4, zeros_b);  // finding here
    }
    __pipeline_commit();
  };

  float sum = 0.0f;
  for (int t = 0; t < ahead; ++t) copy(t);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(ahead - 1);
    __syncthreads();
    copy(t + ahead);
    for (int p = 0; p < tile; ++p) {
      sum += tile_a[t % buffers][y][p] * tile_b[t % buffers][p][x];  // finding here
    }
  }
  if (row < m && column < n) {
    c[size_t(row) * n + column] = sum;
  }
}
