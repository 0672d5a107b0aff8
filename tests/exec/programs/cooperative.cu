// Blocks exchange values over a barrier of the grid. With DEFECT, the barrier is missing.
#include <cooperative_groups.h>

#include <cstdio>

#include "timing.hpp"

__global__ void exchange(int* values, int* result) {
  values[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;
#ifndef DEFECT
  cooperative_groups::this_grid().sync();
#endif
  const int other = (blockIdx.x + 1) % gridDim.x;
  result[blockIdx.x * 32 + threadIdx.x] = values[other * 32 + threadIdx.x];  // finding here
}

int main() {
  const Timing timing;
  int* values;
  int* result;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&result, 128 * sizeof(int));
  void* arguments[] = {&values, &result};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(exchange), 4, 32, arguments);
  int host[128];
  cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(result);
  for (int i = 0; i < 128; ++i) {
    if (host[i] != (i / 32 + 1) % 4) return 7;
  }
  std::puts("correct");
}
