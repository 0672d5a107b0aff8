// A kernel reads bytes that no one wrote: a copy brought them. With an argument, all are written.
#include <cstdio>

constexpr int kCount = 32;

__global__ void sum(const int* values, int* total) {
  int all = 0;
  for (int i = 0; i < kCount; ++i) all += values[i];  // loads here
  *total = all;                                       // finding here
}

int main(int count, char**) {
  int *source, *values, *total;
  cudaMalloc(&source, kCount * sizeof(int));
  cudaMalloc(&values, kCount * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(source, 0, (count > 1 ? kCount : kCount - 1) * sizeof(int));
  cudaMemcpy(values, source, kCount * sizeof(int), cudaMemcpyDeviceToDevice);
  sum<<<1, 1>>>(values, total);
  cudaDeviceSynchronize();
  std::puts("done");
  cudaFree(source);
  cudaFree(values);
  cudaFree(total);
}
