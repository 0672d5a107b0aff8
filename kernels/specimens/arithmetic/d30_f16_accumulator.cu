// Defect 30: the accumulator is f16 where the contract declares f32. It holds 11 bits, and its
// largest finite value is 65504.

#include "../../gemm/6_tensor_cores/hgemm_wmma.cuh"

template <typename C>
__global__ void d30_f16_accumulator(const __half* a, const __half* b, C* c, int m, int n, int k) {
  hgemm_wmma_tile<__half>(a, b, m, n, k, k, n, [=](int row, int column, float sum) {
    c[size_t(row) * n + column] = static_cast<C>(sum);  // finding here
  });
}
