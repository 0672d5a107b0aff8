// Sums a vector, each block in shared memory. With DEFECT, a barrier is missing.
#include <cstdio>
#include <vector>

#include "timing.hpp"

__global__ void sum(const int* in, int* out) {
  __shared__ int part[128];
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];  // finding here
#ifndef DEFECT
    __syncthreads();
#endif
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

int main() {
  const Timing timing;
  constexpr int n = 1024;
  std::vector<int> host(n, 3);
  int* in;
  int* out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  sum<<<n / 128, 128>>>(in, out);
  int result = 0;
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  if (result != 3 * n) return 7;
  std::puts("correct");
}
