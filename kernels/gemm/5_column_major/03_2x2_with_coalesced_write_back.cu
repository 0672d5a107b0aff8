// Column-major, 2 x 2 elements of C per thread, written back through shared memory: the threads of
// a warp hold every other row, so that storing their registers directly would waste half of each
// memory transaction. The block first writes its tile of C to shared memory and then stores whole
// columns. The tile of C takes the place of the operands, which are no longer needed.

#include "../sgemm.cuh"

__global__ void sgemm_column_2x2(int m, int n, int k, float alpha, const float* a, int lda,
                                 const float* b, int ldb, float beta, float* c, int ldc) {
  constexpr int tile = 32;
  constexpr int k_step = 16;
  constexpr int threads = 256;
  extern __shared__ float storage[];              // tile * tile floats
  float* const tile_a = storage;                  // [k][row]
  float* const tile_b = storage + k_step * tile;  // [column][k]
  float* const tile_c = storage;                  // [column][row]

  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = threadIdx.x * 2;  // row in the tile of the thread's 2 x 2 elements
  const int thread_column = threadIdx.y * 2;

  float sums[2][2] = {};  // [column][row]
  for (int k0 = 0; k0 < k; k0 += k_step) {
    for (int element = thread; element < tile * k_step; element += threads) {
      const int row = origin.row + element % tile;
      const int p = k0 + element / tile;
      tile_a[element] = row < m && p < k ? a[size_t(p) * lda + row] : 0.0f;
    }
    for (int element = thread; element < k_step * tile; element += threads) {
      const int p = k0 + element % k_step;
      const int column = origin.column + element / k_step;
      tile_b[element] = p < k && column < n ? b[size_t(column) * ldb + p] : 0.0f;
    }
    __syncthreads();

    for (int p = 0; p < k_step; ++p) {
      for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 2; ++i) {
          sums[j][i] +=
              tile_a[p * tile + thread_row + i] * tile_b[(thread_column + j) * k_step + p];
        }
      }
    }
    __syncthreads();  // every warp has read the operands: the next step or C may replace them
  }

  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      tile_c[(thread_column + j) * tile + thread_row + i] = sums[j][i];
    }
  }
  __syncthreads();

  for (int element = thread; element < tile * tile; element += threads) {
    const int row = origin.row + element % tile;
    const int column = origin.column + element / tile;
    if (row < m && column < n) {
      sgemm::update(&c[size_t(column) * ldc + row], tile_c[element], alpha, beta);
    }
  }
}
