// Defect 37: the copies store the chunks of B in one order, and the products read one group of
// eight columns in another order, in which a bit of the row is missing.

#include "../../gemm/6_tensor_cores/hgemm_mma.cuh"

struct OneGroupOff {
  template <int chunks>
  __device__ static int place(int row, int column) {
    const int mask = chunks == 8 && column == 1 ? ~4 : ~0;
    return hgemm_mma::Swizzle::place<chunks>(row & mask, column);
  }
};

template <typename Instruction, typename Element = typename Instruction::Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    d37_mma_swizzle(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  hgemm_mma::product<Instruction, OneGroupOff>(
      a, b, m, n, k, k, n, [=](int row, int column, float sum) {
        c[size_t(row) * n + column] = Element(sum);  // finding here
      });
}
