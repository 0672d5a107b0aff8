// A compare-and-swap whose result nothing checks loses updates if its weak read is stale.
// build: -arch=sm_80 -lineinfo
// exits: 1
// prints: error[race]
#include <cstdio>
__global__ void count(int* word) {
  int old = *word;  // finding here
  atomicCAS(word, old, old + 1);
}
int main() {
  int* p;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  count<<<1, 64>>>(p);
  int h;
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
