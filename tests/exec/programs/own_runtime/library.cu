// A library that contains the CUDA runtime, as nvcc links it by default.
#ifndef ADDED
#define ADDED 1
#define FIRST 1  // out of bounds for the last thread
#else
#define FIRST 0
#endif

__global__ void increment(int* x) { x[threadIdx.x + FIRST] += ADDED; }

extern "C" int run(int* x) {
  increment<<<1, 64>>>(x);
  return cudaGetLastError();
}
