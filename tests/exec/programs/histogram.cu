// Counts values. The bins are a variable of the device. With DEFECT, the increments are not atomic.
#include <cstdio>
#include <vector>

#include "timing.hpp"

__device__ unsigned bins[16];

__global__ void count(const unsigned char* values, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#ifdef DEFECT
    ++bins[values[i] % 16];  // finding here
#else
    atomicAdd(&bins[values[i] % 16], 1u);
#endif
  }
}

int main() {
  const Timing timing;
  constexpr int n = 2048;
  std::vector<unsigned char> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i * 7);
  unsigned char* values;
  cudaMalloc(&values, n);
  cudaMemcpy(values, host.data(), n, cudaMemcpyHostToDevice);
  count<<<2, 128>>>(values, n);
  unsigned result[16];
  cudaMemcpyFromSymbol(result, bins, sizeof result);
  cudaFree(values);
  for (const unsigned one : result) {
    if (one != n / 16) return 7;
  }
  std::puts("correct");
}
