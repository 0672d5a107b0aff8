// A kernel reads the results of the kernel ahead after cudaGridDependencySynchronize().
// build: -arch=sm_90
// exits: 0
__global__ void first(int* a) {
  cudaTriggerProgrammaticLaunchCompletion();
  a[threadIdx.x] = 1;
}

__global__ void second(const int* a, int* b) {
  cudaGridDependencySynchronize();
  const int v = a[threadIdx.x];
  b[threadIdx.x] = v;
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 128);
  cudaMalloc(&b, 128);
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  config.attrs = &early;
  config.numAttrs = 1;
  cudaMemset(a, 0, 128);
  cudaLaunchKernelEx(&config, first, a);
  cudaLaunchKernelEx(&config, second, (const int*)a, b);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
