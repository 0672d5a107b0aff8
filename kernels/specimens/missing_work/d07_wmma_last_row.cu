// Defect 7 on tensor cores, reversed: the edge test is one too strict, so that the last row of C is
// never written.

#include "../../gemm/6_tensor_cores/hgemm_wmma.cuh"

template <typename Accumulator, typename C>
__global__ void d07_wmma_last_row(const __half* a, const __half* b, C* c,  // finding here
                                  int m, int n, int k) {
  hgemm_wmma_tile<Accumulator>(a, b, m, n, k, k, n, [=](int row, int column, float sum) {
    if (row < m - 1) c[size_t(row) * n + column] = static_cast<C>(sum);
  });
}
