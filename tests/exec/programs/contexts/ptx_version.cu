// Prints for which architecture the kernel was compiled, and what the runtime states of it.
#include <cstdio>

__global__ void store_architecture(int* architecture) {
#ifdef __CUDA_ARCH__
  *architecture = __CUDA_ARCH__ / 10;
#endif
}

int main() {
  int* architecture;
  cudaFuncAttributes attributes;
  if (cudaMallocManaged(&architecture, sizeof(int)) != cudaSuccess) return 1;
  if (cudaFuncGetAttributes(&attributes, store_architecture) != cudaSuccess) return 1;
  store_architecture<<<1, 1>>>(architecture);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("compiled for %d, attribute %d\n", *architecture, attributes.ptxVersion);
  cudaFree(architecture);
}
