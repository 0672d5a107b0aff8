// A kernel after a launch that was not executed to its end works on other memory than on a GPU: the
// indices that the first kernel would have computed are wrong here, and right on a GPU.
// run: exec --limit instructions=10K ./program
// exits: 3
// prints: (launch 1 before it was
// prints not: error[
#include <cstdio>

__global__ void index(int* x) {
  unsigned v = threadIdx.x;
  for (int i = 0; i < 1 << 20; ++i) v = v * 1664525u + 1013904223u;
  x[threadIdx.x] = v % 32;
}

__global__ void gather(const int* x, int* y) { y[threadIdx.x] = y[x[threadIdx.x]] + 1; }

int main() {
  int *x, *y;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaMemset(x, 0x7f, 128);
  cudaMemset(y, 0, 128);
  index<<<1, 32>>>(x);
  gather<<<1, 32>>>(x, y);
  cudaDeviceSynchronize();
  return 1;
}
