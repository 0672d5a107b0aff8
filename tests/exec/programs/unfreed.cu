// Calls a function that warpcheck does not have, and does not free its memory.
#include <cstdio>

int main() {
  float* leaked;
  cudaMalloc(&leaked, 4096);  // finding here
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  if (cudaMallocArray(&array, &format, 8, 8) == cudaSuccess) return 7;
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
