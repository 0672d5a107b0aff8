// The loops of atomicAdd for bf16 and of the CUDA guide are no errors: their first read is a guess.
// prints: note
// prints not: error[race]
#include <cuda_bf16.h>

#include <cstdio>
__global__ void add_all(__nv_bfloat16* y) { atomicAdd(y, __float2bfloat16(1.0f)); }
__global__ void peak(float* at) {
  int* word = (int*)at;
  int old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed,
                    __float_as_int(fmaxf((float)threadIdx.x, __int_as_float(assumed))));
  } while (assumed != old);
}
int main() {
  __nv_bfloat16* y;
  float* p;
  cudaMalloc(&y, 2);
  cudaMalloc(&p, 4);
  cudaMemset(y, 0, 2);
  cudaMemset(p, 0, 4);
  add_all<<<1, 64>>>(y);
  peak<<<1, 64>>>(p);
  float h;
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
  cudaFree(y);
  cudaFree(p);
}
