// 8-bit floating-point operands, summed in FP32. The tensor cores of some GPUs keep only 13 bits of
// a sum's fraction.

#include "mma_tile.cuh"

template <typename Instruction>
__global__ void __launch_bounds__(128)
    fp8gemm_mma(const typename Instruction::Element* a, const typename Instruction::Element* b,
                float* c, int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  mma_tile::product<Instruction>(a, b, m, n, k, lda, ldb, [=](int row, int column, float sum) {
    tensor_tile::update(c + size_t(row) * ldc + column, sum, alpha, beta);
  });
}
