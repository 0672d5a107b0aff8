// Defect 30 in integers: sums of s8 are exact in s32, until the epilogue converts them to f32,
// which cannot represent every integer above 2^24.

#include "../../gemm/6_tensor_cores/mma_tile.cuh"

__global__ void d30_igemm_f32_epilogue(const signed char* a, const signed char* b, int* c, int m,
                                       int n, int k, int alpha, int beta) {
  mma_tile::product<mma::S8>(a, b, m, n, k, k, n, [=](int row, int column, int sum) {
    int& element = c[size_t(row) * n + column];
    const float product = float(alpha) * float(sum);
    element = int(beta == 0 ? product : product + float(beta) * float(element));  // finding here
  });
}
