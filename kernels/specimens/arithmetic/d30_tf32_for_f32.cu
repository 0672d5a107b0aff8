// Defect 30 of operands instead of sums: tensor cores that take f32 as tf32, of which they read 11
// bits, where the contract says f32. Right on small integers.

#include "../../gemm/6_tensor_cores/mma_tile.cuh"

__global__ void d30_tf32_for_f32(const float* a, const float* b, float* c, int m, int n, int k) {
  mma_tile::product<mma::Tf32>(a, b, m, n, k, k, n, [=](int row, int column, float sum) {
    c[size_t(row) * n + column] = sum;  // finding here
  });
}
