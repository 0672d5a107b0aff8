// y = a * x + y, for as many elements as the argument states.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> host(n, 1.0f);
  float* x;
  float* y;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host.data(), bytes, cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y);
  cudaMemcpy(host.data(), y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  for (const float value : host) {
    if (value != 3.0f) return 1;
  }
  std::printf("%d elements are right\n", n);
}
