// The 128 x 128 tile as a software pipeline over two stages. The prologue fills the first stage.
// Each round loads the next step into registers, multiplies the current stage meanwhile, and then
// stores the loaded values into the other stage. The epilogue multiplies the last stage. A round
// fills the stage that the round before has read, so that one barrier per step is enough.

#include "tile_128x128.cuh"

__global__ void __launch_bounds__(256)
    sgemm_column_128_pipelined(int m, int n, int k, float alpha, const float* a, int lda,
                               const float* b, int ldb, float beta, float* c, int ldc) {
  using namespace sgemm_column_128_parts;
  __shared__ Stage stages[2];

  const Operands operands = {m, n, k, a, lda, b, ldb};
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);

  Sums sums;
  if (k > 0) {
    put(fetch(operands, origin, 0), stages[0]);
    __syncthreads();

    int current = 0;
    for (int k0 = k_step; k0 < k; k0 += k_step) {
      const Fetched next = fetch(operands, origin, k0);
      multiply(stages[current], sums);
      put(next, stages[1 - current]);
      __syncthreads();
      current = 1 - current;
    }

    multiply(stages[current], sums);
  }
  write_back(sums, operands, origin, alpha, beta, c, ldc);
}
