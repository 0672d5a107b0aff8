// FP64 on tensor cores, which round each product and sum as fma does.

#include "mma_tile.cuh"

__global__ void __launch_bounds__(128)
    dgemm_mma(const double* a, const double* b, double* c, int m, int n, int k, int lda, int ldb,
              int ldc, double alpha, double beta) {
  mma_tile::product<mma::F64>(a, b, m, n, k, lda, ldb, [=](int row, int column, double sum) {
    tensor_tile::update(c + size_t(row) * ldc + column, sum, alpha, beta);
  });
}
