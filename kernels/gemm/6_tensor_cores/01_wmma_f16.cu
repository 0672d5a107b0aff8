// FP16 operands on tensor cores, summed in f32 or in f16. Sums in f16 are twice as fast on some
// GPUs and represent integers exactly only up to 2048.

#include "hgemm_wmma.cuh"

template <typename Accumulator, typename C>
__global__ void __launch_bounds__(256)
    hgemm_wmma(const __half* a, const __half* b, C* c, int m, int n, int k, int lda, int ldb,
               int ldc, float alpha, float beta) {
  hgemm_wmma_tile<Accumulator>(a, b, m, n, k, lda, ldb, [=](int row, int column, float sum) {
    tensor_tile::update(c + size_t(row) * ldc + column, sum, alpha, beta);
  });
}
