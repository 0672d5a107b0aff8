// Blocks that add to one bf16 by atomicAdd do not race: the first read of its loop is a guess.
// prints: 8
// prints not: error
#include <cuda_bf16.h>

#include <cstdio>
__global__ void k(const __nv_bfloat16* x, __nv_bfloat16* y) {
  atomicAdd(&y[blockIdx.x], x[blockIdx.x * 2 + blockIdx.y]);
}
int main() {
  __nv_bfloat16 *x, *y, host[8];
  for (auto& one : host) one = __float2bfloat16(4.0f);
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&y, 8);
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, 8);
  k<<<dim3(4, 2), 1>>>(x, y);
  cudaMemcpy(host, y, 8, cudaMemcpyDeviceToHost);
  printf("%g\n", __bfloat162float(host[3]));
}
