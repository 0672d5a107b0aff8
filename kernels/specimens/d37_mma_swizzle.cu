// Defect 37: the copies lay the chunks of B down in one order, and the products look for those of
// one group of eight columns in another, in which a bit of the row is missing.

#include "../gemm/hgemm_mma.cuh"

struct OneGroupOff {
  template <int chunks>
  __device__ static int place(int row, int column) {
    const int mask = chunks == 8 && column == 1 ? ~4 : ~0;
    return hgemm_mma::Swizzle::place<chunks>(row & mask, column);
  }
};

template <typename Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    d37_mma_swizzle(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  const hgemm_mma::Operands<Element> operands(a, b, m, n, k, k, n);
  const hgemm_mma::Sums sums =
      hgemm_mma::product<Element, hgemm_mma::Multiply<Element>, OneGroupOff>(operands);
  sums.for_each_pair([&](int tile_row, int tile_column, float first, float second) {
    const int row = operands.first_row + tile_row;
    const int column = operands.first_column + tile_column;
    if (row >= m || column >= n) return;
    Element* pair = c + size_t(row) * n + column;
    pair[0] = Element(first);                       // finding here
    if (column + 1 < n) pair[1] = Element(second);  // finding here
  });
}
