// Defect 8 on tensor cores: eight elements of k are one 16-byte load, and the number of loads is
// rounded down. The last k % 8 elements are ignored.

#include "../../gemm/6_tensor_cores/hgemm_wmma.cuh"

template <typename Accumulator, typename C>
__global__ void d08_wmma_k_tail(const __half* a, const __half* b, C* c, int m, int n, int k) {
  hgemm_wmma_tile<Accumulator>(a, b, m, n, k / 8 * 8, k, n, [=](int row, int column, float sum) {
    c[size_t(row) * n + column] = static_cast<C>(sum);  // finding here
  });
}
