// Defect 5: the results reuse the shared memory of the tiles on their way to whole rows of C, and
// no barrier separates the two uses. A warp that has finished overwrites elements that others read.

__global__ void d05_no_barrier_before_write_back(const float* a, const float* b, float* c, int m,
                                                 int n, int k, int lda, int ldb, int ldc) {
  constexpr int tile = 32;  // rows and columns of C; a thread has 2 x 2 of them
  constexpr int k_step = 16;
  __shared__ float storage[tile * tile];
  float* const tile_a = storage;                  // tile x k_step
  float* const tile_b = storage + tile * k_step;  // k_step x tile

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first_row = blockIdx.y * tile;
  const int first_column = blockIdx.x * tile;

  float sum[2][2] = {};
  for (int k0 = 0; k0 < k; k0 += k_step) {
    if (k0 > 0) __syncthreads();
    for (int i = 0; i < 2; ++i) {
      const int row = first_row + y + 16 * i;
      const int column = first_column + x + 16 * i;
      const bool in_a = row < m && k0 + x < k;
      const bool in_b = k0 + y < k && column < n;
      tile_a[(y + 16 * i) * k_step + x] = in_a ? a[size_t(row) * lda + k0 + x] : 0.0f;
      tile_b[y * tile + x + 16 * i] = in_b ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < k_step; ++p) {
      for (int i = 0; i < 4; ++i) {
        const int row = 2 * y + i / 2;
        const int column = 2 * x + i % 2;
        sum[i / 2][i % 2] += tile_a[row * k_step + p] * tile_b[p * tile + column];  // finding here
      }
    }
  }

  for (int i = 0; i < 4; ++i) {
    storage[(2 * y + i / 2) * tile + 2 * x + i % 2] = sum[i / 2][i % 2];  // finding here
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    const int row = y + 16 * (i / 2);
    const int column = x + 16 * (i % 2);
    if (first_row + row < m && first_column + column < n) {
      c[size_t(first_row + row) * ldc + first_column + column] = storage[row * tile + column];
    }
  }
}
