// C = A * B with A[M x K], B[K x N], C[M x N], row-major, one thread per output element.
// Works for arbitrary M, N, K >= 1 as long as M*K, K*N and M*N stay below 2^30 and M <= 2^19.
#include <cuda_runtime.h>

__global__ void matmul_naive_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;

  if (row > M || col > N) {
    return;
  }

  float sum = 0.0f;
  for (int k = 0; k < K; k++) {
    sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = sum;
}

// A, B, C are device pointers
void launch_matmul_naive(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 threadsPerBlock(16, 16);
  dim3 blocksPerGrid((N + threadsPerBlock.x - 1) / threadsPerBlock.x,
                     (M + threadsPerBlock.y - 1) / threadsPerBlock.y);

  matmul_naive_kernel<<<blocksPerGrid, threadsPerBlock>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
