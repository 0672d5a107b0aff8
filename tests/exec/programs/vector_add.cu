// Adds two vectors. With DEFECT, one thread too many reads and writes.
#include <cstdio>
#include <vector>

#include "timing.hpp"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef DEFECT
  if (i <= n) c[i] = a[i] + b[i];  // finding here
#else
  if (i < n) c[i] = a[i] + b[i];
#endif
}

int main() {
  const Timing timing;
  constexpr int n = 1000;
  constexpr int bytes = n * sizeof(float);
  std::vector<float> host(n, 2.0f);
  float* device[3];
  for (float*& one : device) cudaMalloc(&one, bytes);
  cudaMemcpy(device[0], host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device[1], host.data(), bytes, cudaMemcpyHostToDevice);
  add<<<n / 256 + 1, 256>>>(device[0], device[1], device[2], n);
  cudaMemcpy(host.data(), device[2], bytes, cudaMemcpyDeviceToHost);
  for (float* one : device) cudaFree(one);
  for (const float value : host) {
    if (value != 4.0f) return 7;
  }
  std::puts("correct");
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 8;
}
