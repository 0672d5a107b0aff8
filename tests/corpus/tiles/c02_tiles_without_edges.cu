// Tiled matrix multiplication with shared memory. The sizes are assumed to be multiples of the
// tile.
#include <cstdio>

constexpr int TILE_DIM = 16;

__global__ void matmulTiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float aTile[TILE_DIM][TILE_DIM];
  __shared__ float bTile[TILE_DIM][TILE_DIM];

  int row = blockIdx.y * TILE_DIM + threadIdx.y;
  int col = blockIdx.x * TILE_DIM + threadIdx.x;
  float sum = 0.0f;

  for (int tile = 0; tile < K / TILE_DIM; ++tile) {
    aTile[threadIdx.y][threadIdx.x] = A[row * K + tile * TILE_DIM + threadIdx.x];
    bTile[threadIdx.y][threadIdx.x] = B[(tile * TILE_DIM + threadIdx.y) * N + col];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; ++i) {
      sum += aTile[threadIdx.y][i] * bTile[i][threadIdx.x];
    }
    __syncthreads();
  }
  C[row * N + col] = sum;
}

void launch(const float* dA, const float* dB, float* dC, int M, int N, int K) {
  dim3 block(TILE_DIM, TILE_DIM);
  dim3 grid(N / TILE_DIM, M / TILE_DIM);
  matmulTiled<<<grid, block>>>(dA, dB, dC, M, N, K);
}

int main() {
  int M = 1024, N = 1024, K = 1024;
  float *dA, *dB, *dC;
  cudaMalloc(&dA, M * K * sizeof(float));
  cudaMalloc(&dB, K * N * sizeof(float));
  cudaMalloc(&dC, M * N * sizeof(float));
  launch(dA, dB, dC, M, N, K);
  cudaError_t err = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(err));
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dC);
}
