// Defect 30 in operands instead of sums: the tensor cores read 11 significant bits of each operand,
// as tf32, where the contract declares f32. Correct for small integers.

#include "../../gemm/6_tensor_cores/mma_tile.cuh"

__global__ void d30_tf32_for_f32(const float* a, const float* b, float* c, int m, int n, int k) {
  mma_tile::product<mma::Tf32>(a, b, m, n, k, k, n, [=](int row, int column, float sum) {
    c[size_t(row) * n + column] = sum;  // finding here
  });
}
