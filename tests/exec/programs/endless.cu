// Launches a kernel that does not end.
#include <cstdio>

__global__ void count(volatile unsigned long long* counter) {
  for (unsigned long long i = 0; i < 1ull << 60; ++i) *counter = i;
}

int main() {
  unsigned long long* counter;
  cudaMalloc(&counter, sizeof *counter);
  count<<<1, 1>>>(counter);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(counter);
}
