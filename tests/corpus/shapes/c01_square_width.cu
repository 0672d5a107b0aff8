// Square matrix multiplication, the first CUDA program of many courses: P = M * N, all of them
// width x width. One thread computes one element of the product.
#include <cstdio>
#include <cstdlib>

#define BLOCK_WIDTH 16

__global__ void MatrixMulKernel(const float* M, const float* N, float* P, int width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < width && col < width) {
    float pValue = 0.0f;
    for (int i = 0; i < width; ++i) {
      pValue += M[row * width + i] * N[i * width + col];
    }
    P[row * width + col] = pValue;
  }
}

int main(int argc, char** argv) {
  int width = argc > 1 ? atoi(argv[1]) : 512;
  size_t bytes = sizeof(float) * width * width;
  float* hostM = (float*)malloc(bytes);
  float* hostN = (float*)malloc(bytes);
  float* hostP = (float*)malloc(bytes);
  for (int i = 0; i < width * width; ++i) {
    hostM[i] = rand() / (float)RAND_MAX;
    hostN[i] = rand() / (float)RAND_MAX;
  }

  float *deviceM, *deviceN, *deviceP;
  cudaMalloc(&deviceM, bytes);
  cudaMalloc(&deviceN, bytes);
  cudaMalloc(&deviceP, bytes);
  cudaMemcpy(deviceM, hostM, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceN, hostN, bytes, cudaMemcpyHostToDevice);

  dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
  dim3 dimGrid((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (width + BLOCK_WIDTH - 1) / BLOCK_WIDTH);
  MatrixMulKernel<<<dimGrid, dimBlock>>>(deviceM, deviceN, deviceP, width);
  cudaMemcpy(hostP, deviceP, bytes, cudaMemcpyDeviceToHost);
  printf("P[0] = %f\n", hostP[0]);

  cudaFree(deviceM);
  cudaFree(deviceN);
  cudaFree(deviceP);
  free(hostM);
  free(hostN);
  free(hostP);
  return 0;
}
