// A loop whose registers and memory recur never ends: this is exact, and needs no budget.
// exits: 1
// prints: error[timeout]: the loop repeats itself and reads no memory
#include <cstdio>

__global__ void step(int n, int stride, int* x) {
  for (int i = 0; i < n; i += stride) __syncthreads();  // finding here
  *x = n;
}

int main() {
  int* x;
  cudaMalloc(&x, 4);
  step<<<1, 32>>>(100, 0, x);
  cudaDeviceSynchronize();
  return 0;
}
