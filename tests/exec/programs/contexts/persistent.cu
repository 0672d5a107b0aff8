// A persistent kernel with a block per multiprocessor. Its array has room for 64 blocks.
#include <cstdio>

__global__ void sum(int n, int* partial) {
  int mine = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x) mine += i;
  partial[blockIdx.x] = mine;  // finding here
}

int main() {
  int multiprocessors = 0, total = 0, partial[64];
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int* memory;
  cudaMalloc(&memory, sizeof partial);
  cudaMemset(memory, 0, sizeof partial);
  sum<<<multiprocessors, 1>>>(1000, memory);
  cudaMemcpy(partial, memory, sizeof partial, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  for (const int one : partial) total += one;
  std::printf("%d %d %s\n", multiprocessors, properties.multiProcessorCount,
              total == 499500 ? "correct" : "wrong");
  return total == 0 ? 3 : 0;  // no kernel ran
}
