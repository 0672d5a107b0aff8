// 280 M warp instructions are no finding: the default budget fits programs.
// run: exec ./program
// exits: 0
// prints: 0 findings
#include <cstdio>

__global__ void sum(float* x) {
  float s = 0;
  for (int i = 0; i < 16384; ++i) s = s * 0.5f + i;
  x[blockIdx.x * 256 + threadIdx.x] = s;
}

int main() {
  float* x;
  cudaMalloc(&x, 1024 * 256 * 4);
  sum<<<1024, 256>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}
