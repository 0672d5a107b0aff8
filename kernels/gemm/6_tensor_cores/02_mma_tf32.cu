// TF32 operands, which have 11 significant bits and are stored as FP32, summed in FP32.

#include "mma_tile.cuh"

__global__ void __launch_bounds__(128)
    tf32gemm_mma(const float* a, const float* b, float* c, int m, int n, int k, int lda, int ldb,
                 int ldc, float alpha, float beta) {
  mma_tile::product<mma::Tf32>(a, b, m, n, k, lda, ldb, [=](int row, int column, float sum) {
    tensor_tile::update(c + size_t(row) * ldc + column, sum, alpha, beta);
  });
}
