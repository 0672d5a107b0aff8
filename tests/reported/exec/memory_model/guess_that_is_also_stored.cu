// The first read of a compare-and-swap loop is a race where its value is stored elsewhere, too.
// build: -arch=sm_80 -lineinfo
// exits: 1
// prints: error[race]
#include <cstdio>
__global__ void peak(float* at, int* seen) {
  int* word = (int*)at;
  int old = *word, assumed;  // finding here
  seen[threadIdx.x] = old;
  do {
    assumed = old;
    old = atomicCAS(word, assumed,
                    __float_as_int(fmaxf((float)threadIdx.x, __int_as_float(assumed))));
  } while (assumed != old);
}
int main() {
  float* p;
  int* seen;
  cudaMalloc(&p, 4);
  cudaMalloc(&seen, 256);
  cudaMemset(p, 0, 4);
  peak<<<1, 64>>>(p, seen);
  float h;
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
}
