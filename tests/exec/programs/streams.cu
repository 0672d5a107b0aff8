// Scales the parts of a matrix on two streams, with copies of rows, and events. With DEFECT, a copy
// uses memory that was freed.
#include <cstdio>
#include <vector>

#include "timing.hpp"

__constant__ float factor;

__global__ void scale(float* rows, size_t pitch, int width) {
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(rows) + blockIdx.x * pitch);
  for (int i = threadIdx.x; i < width; i += blockDim.x) row[i] *= factor;
}

int main() {
  const Timing timing;
  constexpr int width = 100;
  constexpr int height = 8;
  std::vector<float> host(width * height, 1.5f);
  const float two = 2.0f;
  cudaMemcpyToSymbol(factor, &two, sizeof two);
  float* device;
  size_t pitch;
  cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
  cudaStream_t streams[2];
  cudaEvent_t done;
  cudaEventCreate(&done);
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreate(&streams[i]);
    float* part = reinterpret_cast<float*>(reinterpret_cast<char*>(device) + i * 4 * pitch);
    float* from = host.data() + i * 4 * width;
    cudaMemcpy2DAsync(part, pitch, from, width * sizeof(float), width * sizeof(float), 4,
                      cudaMemcpyHostToDevice, streams[i]);
    scale<<<4, 32, 0, streams[i]>>>(part, pitch, width);
    cudaEventRecord(done, streams[i]);
    cudaStreamSynchronize(streams[i]);
    cudaStreamDestroy(streams[i]);
  }
#ifdef DEFECT
  cudaFree(device);
#endif
  const size_t row = width * sizeof(float);
  cudaMemcpy2D(host.data(), row, device, pitch, row, height, cudaMemcpyDefault);  // finding here
#ifndef DEFECT
  cudaFree(device);
#endif
  cudaEventDestroy(done);
  for (const float value : host) {
    if (value != 3.0f) return 7;
  }
  std::puts("correct");
}
