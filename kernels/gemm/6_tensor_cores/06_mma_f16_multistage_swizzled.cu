// 16-bit floats on tensor cores with f32 sums, for any shape. f16 and bf16 differ only in the mma.

#include "hgemm_mma.cuh"
#include "tensor_tile.cuh"

template <typename Instruction, typename Element = typename Instruction::Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    hgemm_mma_kernel(const Element* a, const Element* b, Element* c, int m, int n, int k, int lda,
                     int ldb, int ldc, float alpha, float beta) {
  hgemm_mma::product<Instruction>(a, b, m, n, k, lda, ldb, [=](int row, int column, float sum) {
    tensor_tile::update(c + size_t(row) * ldc + column, sum, alpha, beta);
  });
}
