// Defect 30: the contract says that products are summed in f32; the sums are kept in the operands'
// 16 bits from step to step.

#include "../gemm/hgemm_mma.cuh"

template <typename Element>
struct NarrowSums {
  __device__ static void add(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    hgemm_mma::Multiply<Element>::add(sums, a, b);
    for (float& sum : sums) sum = float(Element(sum));
  }
};

template <typename Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    d30_mma_narrow_sums(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  const hgemm_mma::Operands<Element> operands(a, b, m, n, k, k, n);
  const hgemm_mma::Sums sums = hgemm_mma::product<Element, NarrowSums<Element>>(operands);
  sums.for_each_pair([&](int tile_row, int tile_column, float first, float second) {
    const int row = operands.first_row + tile_row;
    const int column = operands.first_column + tile_column;
    if (row >= m || column >= n) return;
    Element* pair = c + size_t(row) * n + column;
    pair[0] = Element(first);                       // finding here
    if (column + 1 < n) pair[1] = Element(second);  // finding here
  });
}
