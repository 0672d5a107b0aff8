// Defect 30: the contract declares that products are summed in f32; the kernel keeps the sums in
// the operands' 16 bits from step to step.

#include "../../gemm/6_tensor_cores/hgemm_mma.cuh"

template <typename Instruction>
struct NarrowSums : Instruction {
  __device__ static void multiply(float (&sums)[4], const unsigned (&a)[4],
                                  const unsigned (&b)[2]) {
    Instruction::multiply(sums, a, b);
    for (float& sum : sums) sum = float(typename Instruction::Element(sum));
  }
};

template <typename Instruction, typename Element = typename Instruction::Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    d30_mma_narrow_sums(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  hgemm_mma::product<NarrowSums<Instruction>>(
      a, b, m, n, k, k, n, [=](int row, int column, float sum) {
        c[size_t(row) * n + column] = Element(sum);  // finding here
      });
}
