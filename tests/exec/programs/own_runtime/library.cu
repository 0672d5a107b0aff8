// A library that contains the CUDA runtime, as nvcc links it by default.

__global__ void increment(int* x) {
  x[threadIdx.x + 1] += 1;  // out of bounds for the last thread
}

extern "C" int run(int* x) {
  increment<<<1, 64>>>(x);
  return cudaGetLastError();
}
