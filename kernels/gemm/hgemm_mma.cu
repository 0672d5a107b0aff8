// 16-bit floats on tensor cores with f32 sums, for any shape: f16 and bf16 differ in the mma alone.

#include "hgemm_mma.cuh"

template <typename Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    hgemm_mma_kernel(const Element* a, const Element* b, Element* c, int m, int n, int k, int lda,
                     int ldb, int ldc, float alpha, float beta) {
  const hgemm_mma::Operands<Element> operands(a, b, m, n, k, lda, ldb);
  const hgemm_mma::Sums sums = hgemm_mma::product(operands);
  sums.for_each_pair([&](int tile_row, int tile_column, float first, float second) {
    const int row = operands.first_row + tile_row;
    const int column = operands.first_column + tile_column;
    if (row >= m || column >= n) return;
    hgemm_mma::update2(c + size_t(row) * ldc + column, n - column, first, second, alpha, beta);
  });
}
