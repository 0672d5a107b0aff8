// A launch whose blocks end is slow and no defect: beyond its budget it is undecided.
// run: exec --limit instructions=2M ./program
// exits: 3
// prints: unsupported: a long launch: it was not executed to its end
// prints: blocks had ended after
// prints: `--limit instructions=N` raises it
// prints not: error[
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
