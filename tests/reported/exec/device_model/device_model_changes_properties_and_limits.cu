// --device-model changes the properties of the device and the limits of its launches together.
// run: exec --device-model a100 --sms 20 ./program
// prints: 166912 bytes: no error
// prints: 2 x 20 blocks: no error
// prints: 0 findings
#include <cooperative_groups.h>

#include <cstdio>

__global__ void reverse(int* x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void count(int* x) {
  atomicAdd(x, 1);
  cooperative_groups::this_grid().sync();
}

int main() {
  int bytes, *x;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaMalloc(&x, 256);
  reverse<<<1, 64, bytes>>>(x);
  std::printf("%d bytes: %s\n", bytes, cudaGetErrorString(cudaDeviceSynchronize()));
  int blocks, multiprocessors;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 1024, 0);
  cudaMemset(x, 0, 4);
  void* arguments[] = {&x};
  const cudaError_t error =
      cudaLaunchCooperativeKernel((void*)count, blocks * multiprocessors, 1024, arguments, 0, 0);
  std::printf("%d x %d blocks: %s\n", blocks, multiprocessors, cudaGetErrorString(error));
  return 0;
}
