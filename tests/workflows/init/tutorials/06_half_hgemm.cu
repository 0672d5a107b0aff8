// Half precision, sums in half precision; alpha and beta are halves too.
#include <cuda_fp16.h>

__global__ void hgemm_naive_f16(const half* A, const half* B, half* C, int M, int N, int K) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m < M && n < N) {
    half psum = 0.0;
#pragma unroll
    for (int k = 0; k < K; k++) psum = __hfma(A[m * K + k], B[k * N + n], psum);
    C[m * N + n] = psum;
  }
}

void run(const half* A, const half* B, half* C, const size_t M, const size_t N, const size_t K) {
  constexpr int BLOCK = 16;
  const auto blocks_x = static_cast<unsigned>((N + BLOCK - 1) / BLOCK);
  const auto blocks_y = static_cast<unsigned>((M + BLOCK - 1) / BLOCK);
  hgemm_naive_f16<<<dim3(blocks_x, blocks_y), dim3(BLOCK, BLOCK)>>>(A, B, C, M, N, K);
}
