// Relocatable device code: this file uses variables and functions of part.cu. With DEFECT, a
// function of the other file writes beyond the memory.
#include <cstdio>

extern __device__ int total;
extern __constant__ int factor;
extern __managed__ int calls;
__device__ void add(int* out, int i, int value);
static __device__ int hidden = 3;

__global__ void run(int* out) {
  add(out, threadIdx.x, hidden * factor);
  atomicAdd(&total, 1);
}

void finish(int* out);

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  run<<<1, 32>>>(out);
  finish(out);
  cudaDeviceSynchronize();
  int host[32];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  if (host[5] != 3 * 2 + 100 + 32 + 10 || calls != 33) return 7;
  std::puts("correct");
}
