// Halves an image with a linear filter, and reads a table through tex1Dfetch. With DEFECT, the last
// rows of the image are not copied.
#include <cmath>
#include <cstdio>
#include <vector>

#include "timing.hpp"

__global__ void halve(cudaTextureObject_t image, cudaTextureObject_t gains, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= width) return;
  const float mean = tex2D<float>(image, 2 * x + 1.0f, 2 * y + 1.0f);
  out[y * width + x] = tex1Dfetch<float>(gains, y) * mean;  // finding here
}

int main() {
  const Timing timing;
  constexpr int width = 40;
  constexpr int height = 16;
  std::vector<float> host(width * height);
  for (int i = 0; i < width * height; ++i) host[i] = static_cast<float>(i % 7);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, width, height);
#ifdef DEFECT
  constexpr int rows = height - 2;
#else
  constexpr int rows = height;
#endif
  const size_t row = width * sizeof(float);
  cudaMemcpy2DToArray(array, 0, 0, host.data(), row, row, rows, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &how, nullptr);

  std::vector<float> factors(height / 2);
  for (int i = 0; i < height / 2; ++i) factors[i] = static_cast<float>(i + 1);
  float* memory;
  cudaMalloc(&memory, factors.size() * sizeof(float));
  cudaMemcpy(memory, factors.data(), factors.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = memory;
  linear.res.linear.desc = format;
  linear.res.linear.sizeInBytes = factors.size() * sizeof(float);
  cudaTextureObject_t gains;
  how.filterMode = cudaFilterModePoint;
  cudaCreateTextureObject(&gains, &linear, &how, nullptr);

  float* out;
  std::vector<float> halved(width / 2 * height / 2);
  cudaMalloc(&out, halved.size() * sizeof(float));
  halve<<<dim3(1, height / 2), 32>>>(image, gains, out, width / 2);
  cudaMemcpy(halved.data(), out, halved.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(image);
  cudaDestroyTextureObject(gains);
  cudaFreeArray(array);
  cudaFree(memory);
  cudaFree(out);
  for (int y = 0; y < height / 2; ++y) {
    for (int x = 0; x < width / 2; ++x) {
      const float* at = &host[2 * y * width + 2 * x];
      const float mean = (at[0] + at[1] + at[width] + at[width + 1]) / 4;
      if (std::fabs(halved[y * width / 2 + x] - factors[y] * mean) > 1e-5f) return 7;
    }
  }
  std::puts("correct");
}
