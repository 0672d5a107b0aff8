// An A100 has no 200,000 bytes of shared memory for a block, and keeps 216 blocks of 1,024 threads
// resident, although an H100 has more.
// run: exec --device-model a100 ./program
// exits: 1
// prints: cudaFuncSetAttribute: 200000 bytes of dynamic shared memory
// prints: exceed the 166912 bytes of a block
// prints: the kernel synchronises its grid of 217 blocks
#include <cooperative_groups.h>

__global__ void nothing() {}

__global__ void count(int* x) {
  atomicAdd(x, 1);
  cooperative_groups::this_grid().sync();
}

int main() {
  cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
  int* x;
  cudaMalloc(&x, 4);
  cudaMemset(x, 0, 4);
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)count, 217, 1024, arguments, 0, 0);
  return 0;
}
