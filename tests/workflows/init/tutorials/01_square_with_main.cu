// A first program: square matrices, fixed size, results compared on the CPU.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N 256
#define BLOCK_SIZE 16

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t error = call;                                              \
    if (error != cudaSuccess) {                                            \
      printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

__global__ void matrixMul(float* d_A, float* d_B, float* d_C, int width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < width && col < width) {
    float sum = 0;
    for (int i = 0; i < width; i++) sum += d_A[row * width + i] * d_B[i * width + col];
    d_C[row * width + col] = sum;
  }
}

int main(void) {
  float* h_A = (float*)malloc(N * N * sizeof(float));
  float *d_A, *d_B, *d_C;
  CHECK(cudaMalloc((void**)&d_A, N * N * sizeof(float)));
  CHECK(cudaMalloc((void**)&d_B, N * N * sizeof(float)));
  CHECK(cudaMalloc((void**)&d_C, N * N * sizeof(float)));
  CHECK(cudaMemcpy(d_A, h_A, N * N * sizeof(float), cudaMemcpyHostToDevice));
  dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
  dim3 blocks((int)ceil((float)N / threads.x), (int)ceil((float)N / threads.y));
  matrixMul<<<blocks, threads>>>(d_A, d_B, d_C, N);
  CHECK(cudaDeviceSynchronize());
  free(h_A);
  return 0;
}
