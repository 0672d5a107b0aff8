// Calls a function that warpcheck does not have, and does not free its memory.
#include <cstdio>

int main() {
  float* leaked;
  for (int i = 0; i < 3; ++i) cudaMalloc(&leaked, 1024);  // finding here
  cudaExternalMemory_t memory;
  cudaExternalMemoryHandleDesc handle = {};
  if (cudaImportExternalMemory(&memory, &handle) == cudaSuccess) return 7;
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
