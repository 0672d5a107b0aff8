// A process opens memory that its owner has freed, and out of bounds of what it opened.
// exits: 1
// prints: error[out-of-bounds]
// prints: cudaIpcOpenMemHandle: the memory was freed
// prints: freed: cudaErrorInvalidValue
#include <cstdio>
#include <cstdlib>

__global__ void add(int* x, int value) {
  x[threadIdx.x] += value;  // finding here
}

int use(cudaIpcMemHandle_t handle, bool freed) {
  int* x;
  const cudaError_t error =
      cudaIpcOpenMemHandle((void**)&x, handle, cudaIpcMemLazyEnablePeerAccess);
  if (freed) {
    std::printf("freed: %s\n", cudaGetErrorName(error));
    return 0;
  }
  add<<<1, 65>>>(x, 5);
  cudaDeviceSynchronize();
  cudaIpcCloseMemHandle(x);
  return 0;
}

int main(int count, char** arguments) {
  cudaIpcMemHandle_t handle;
  if (count > 1) {
    FILE* const file = std::fopen("handle", "rb");
    if (std::fread(&handle, sizeof handle, 1, file) != 1) return 7;
    return use(handle, arguments[1][0] == 'f');
  }
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  cudaIpcGetMemHandle(&handle, x);
  FILE* const file = std::fopen("handle", "wb");
  std::fwrite(&handle, sizeof handle, 1, file);
  std::fclose(file);
  if (std::system("./program use") != 0) return 7;
  cudaFree(x);
  return std::system("./program freed");
}
