// Defect 8 on tensor cores: the kernel treats k as the index of the last product instead of the
// number of products, so that it masks the last element of k as well.

#include "../../gemm/6_tensor_cores/hgemm_mma.cuh"

template <typename Instruction, typename Element = typename Instruction::Element>
__global__ void __launch_bounds__(hgemm_mma::threads)
    d08_mma_last_k(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  hgemm_mma::product<Instruction>(a, b, m, n, k - 1, k, n, [=](int row, int column, float sum) {
    c[size_t(row) * n + column] = Element(sum);  // finding here
  });
}
