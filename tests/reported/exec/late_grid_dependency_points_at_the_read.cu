// A kernel reads the results of the kernel ahead before cudaGridDependencySynchronize().
// build: -arch=sm_90
// exits: 1
// prints: error[race]: launch 2 of second(int const*, int*)
__global__ void first(int* a) {
  cudaTriggerProgrammaticLaunchCompletion();
  a[threadIdx.x] = 1;
}

__global__ void second(const int* a, int* b) {
  const int v = a[threadIdx.x];  // finding here
  cudaGridDependencySynchronize();
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
