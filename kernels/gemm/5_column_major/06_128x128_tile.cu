// Column-major, 128 x 128 tile of C, 4 x 16 elements per thread: 20 values read from shared memory
// serve 64 multiply-adds. The loads of a step still wait for the product of the step before.

#include "tile_128x128.cuh"

__global__ void __launch_bounds__(256)
    sgemm_column_128(int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                     int ldb, float beta, float* c, int ldc) {
  using namespace sgemm_column_128_parts;
  __shared__ Stage stage;

  const Operands operands = {m, n, k, a, lda, b, ldb};
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);

  Sums sums;
  for (int k0 = 0; k0 < k; k0 += k_step) {
    put(fetch(operands, origin, k0), stage);
    __syncthreads();  // the stage is complete
    multiply(stage, sums);
    __syncthreads();  // every warp has read it
  }
  write_back(sums, operands, origin, alpha, beta, c, ldc);
}
