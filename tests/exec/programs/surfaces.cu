// Writes the layers of an array through a surface, and reads them through a texture. With DEFECT,
// threads beyond the width write too.
#include <cstdio>
#include <vector>

#include "timing.hpp"

constexpr int kWidth = 50;
constexpr int kHeight = 4;
constexpr int kLayers = 3;

__global__ void number(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x;
#ifndef DEFECT
  if (x >= kWidth) return;
#endif
  const int y = blockIdx.x;
  for (int layer = 0; layer < kLayers; ++layer) {
    const ushort2 value = make_ushort2(x, 100 * layer + y);
    surf2DLayeredwrite(value, surface, x * int(sizeof value), y, layer);  // finding here
  }
}

__global__ void sum(cudaTextureObject_t texture, unsigned* out) {
  const int x = threadIdx.x;
  if (x >= kWidth) return;
  unsigned total = 0;
  for (int layer = 0; layer < kLayers; ++layer) {
    const ushort2 value = tex2DLayered<ushort2>(texture, x + 0.5f, blockIdx.x + 0.5f, layer);
    total += 1000 * value.x + value.y;
  }
  out[blockIdx.x * kWidth + x] = total;
}

int main() {
  const Timing timing;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<ushort2>();
  cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kHeight, kLayers),
                    cudaArrayLayered | cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  cudaTextureObject_t texture;
  const cudaTextureDesc how = {};
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  std::vector<unsigned> sums(kWidth * kHeight);
  unsigned* out;
  cudaMalloc(&out, sums.size() * sizeof(unsigned));
  number<<<kHeight, 64>>>(surface);
  sum<<<kHeight, 64>>>(texture, out);
  cudaMemcpy(sums.data(), out, sums.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::vector<ushort2> layer(kWidth * kHeight);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.srcPos = make_cudaPos(0, 0, 2);
  copy.dstPtr = make_cudaPitchedPtr(layer.data(), kWidth * sizeof(ushort2), kWidth, kHeight);
  copy.extent = make_cudaExtent(kWidth, kHeight, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  cudaDestroySurfaceObject(surface);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(out);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const unsigned expected = 3 * 1000 * x + 300 + 3 * y;
      const ushort2 last = layer[y * kWidth + x];
      if (sums[y * kWidth + x] != expected || last.x != x || last.y != 200 + y) return 7;
    }
  }
  std::puts("correct");
}
