// Tensor cores sum products of 8-bit integers exactly in 32 bits; alpha and beta are integers too.

#include "mma_tile.cuh"

__global__ void __launch_bounds__(128)
    igemm_mma(const signed char* a, const signed char* b, int* c, int m, int n, int k, int lda,
              int ldb, int ldc, int alpha, int beta) {
  mma_tile::product<mma::S8>(a, b, m, n, k, lda, ldb, [=](int row, int column, int sum) {
    tensor_tile::update(c + size_t(row) * ldc + column, sum, alpha, beta);
  });
}
