// Arrays, textures and surfaces of the driver API. With DEFECT, a surface store beyond the array.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define EXPECT(condition)                                 \
  do {                                                    \
    if (!(condition)) {                                   \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      std::exit(8);                                       \
    }                                                     \
  } while (false)

constexpr int kWidth = 8;
constexpr int kHeight = 4;

__global__ void number_texels(cudaSurfaceObject_t image, int columns) {
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  if (x >= columns) return;
  surf2Dwrite(static_cast<float>(x + kWidth * y), image, x * 4, y);  // finding here
}

__global__ void sample(cudaTextureObject_t image, float* out) {
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  out[x + kWidth * y] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}

__global__ void fetch(cudaTextureObject_t line, unsigned* out) {
  out[threadIdx.x] = tex1Dfetch<unsigned char>(line, static_cast<int>(threadIdx.x));
}

std::vector<float> sampled(CUtexObject texture) {
  CUdeviceptr out;
  std::vector<float> host(kWidth * kHeight);
  CHECK(cuMemAlloc(&out, host.size() * sizeof(float)));
  sample<<<1, dim3(kWidth, kHeight)>>>(texture, reinterpret_cast<float*>(out));
  CHECK(cuMemcpyDtoH(host.data(), out, host.size() * sizeof(float)));
  CHECK(cuMemFree(out));
  return host;
}

CUtexObject texture_of(const CUDA_RESOURCE_DESC& resource, unsigned flags) {
  CUDA_TEXTURE_DESC desc{};
  for (auto& mode : desc.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  desc.filterMode = CU_TR_FILTER_MODE_POINT;
  desc.flags = flags;
  CUtexObject texture;
  CHECK(cuTexObjectCreate(&texture, &resource, &desc, nullptr));
  return texture;
}

// A surface writes an array, which a texture and a copy read.
void surface_and_texture() {
  CUDA_ARRAY3D_DESCRIPTOR desc{};
  desc.Width = kWidth;
  desc.Height = kHeight;
  desc.Format = CU_AD_FORMAT_FLOAT;
  desc.NumChannels = 1;
  desc.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray array;
  CHECK(cuArray3DCreate(&array, &desc));
  CUDA_ARRAY3D_DESCRIPTOR stored{};
  CHECK(cuArray3DGetDescriptor(&stored, array));
  EXPECT(stored.Width == kWidth && stored.Height == kHeight && stored.Depth == 0);
  EXPECT(stored.Format == CU_AD_FORMAT_FLOAT && stored.NumChannels == 1);
  EXPECT(stored.Flags == CUDA_ARRAY3D_SURFACE_LDST);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface;
  CHECK(cuSurfObjectCreate(&surface, &resource));
#ifdef DEFECT
  number_texels<<<1, dim3(kWidth + 1, kHeight)>>>(surface, kWidth + 1);
#else
  number_texels<<<1, dim3(kWidth, kHeight)>>>(surface, kWidth);
#endif
  const CUtexObject texture = texture_of(resource, 0);
  const std::vector<float> values = sampled(texture);
  for (int i = 0; i < kWidth * kHeight; ++i) EXPECT(values[i] == static_cast<float>(i));
  float second_row[kWidth] = {};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = second_row;
  copy.WidthInBytes = sizeof second_row;
  copy.Height = 1;
  CHECK(cuMemcpy2D(&copy));
  for (int i = 0; i < kWidth; ++i) EXPECT(second_row[i] == static_cast<float>(kWidth + i));
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(array));
}

// Texels of 8 bits are numbers from 0 to 1, unless a flag requires integers.
void bytes_as_numbers() {
  CUDA_ARRAY_DESCRIPTOR desc{};
  desc.Width = kWidth;
  desc.Height = kHeight;
  desc.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  desc.NumChannels = 1;
  CUarray array;
  CHECK(cuArrayCreate(&array, &desc));
  CUDA_ARRAY_DESCRIPTOR stored{};
  CHECK(cuArrayGetDescriptor(&stored, array));
  EXPECT(stored.Format == CU_AD_FORMAT_UNSIGNED_INT8 && stored.Width == kWidth);
  std::vector<unsigned char> texels(kWidth * kHeight);
  for (std::size_t i = 0; i < texels.size(); ++i)
    texels[i] = static_cast<unsigned char>(51 * (i % 6));
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = kWidth;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = kWidth;
  copy.Height = kHeight;
  copy.Depth = 1;
  CHECK(cuMemcpy3D(&copy));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  const CUtexObject texture = texture_of(resource, 0);
  const std::vector<float> values = sampled(texture);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT(values[i] == texels[i] / 255.0f);
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(array));
}

// Arrays of one row, and linear memory.
void rows() {
  CUDA_ARRAY_DESCRIPTOR desc{};
  desc.Width = 16;
  desc.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  desc.NumChannels = 1;
  CUarray one, other;
  CHECK(cuArrayCreate(&one, &desc));
  CHECK(cuArrayCreate(&other, &desc));
  unsigned char texels[16];
  for (int i = 0; i < 16; ++i) texels[i] = static_cast<unsigned char>(i);
  CHECK(cuMemcpyHtoA(one, 0, texels, 16));
  CHECK(cuMemcpyAtoA(other, 8, one, 4, 8));
  unsigned char half[8];
  CHECK(cuMemcpyAtoH(half, other, 8, 8));
  for (int i = 0; i < 8; ++i) EXPECT(half[i] == i + 4);
  CUdeviceptr line, out;
  CHECK(cuMemAlloc(&line, 16));
  CHECK(cuMemcpyAtoD(line, one, 0, 16));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {line, CU_AD_FORMAT_UNSIGNED_INT8, 1, 16};
  const CUtexObject texture = texture_of(resource, CU_TRSF_READ_AS_INTEGER);
  CHECK(cuMemAlloc(&out, 16 * sizeof(unsigned)));
  fetch<<<1, 16>>>(texture, reinterpret_cast<unsigned*>(out));
  unsigned fetched[16];
  CHECK(cuMemcpyDtoH(fetched, out, sizeof fetched));
  for (unsigned i = 0; i < 16; ++i) EXPECT(fetched[i] == i);
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuMemFree(line));
  CHECK(cuMemFree(out));
  CHECK(cuArrayDestroy(one));
  CHECK(cuArrayDestroy(other));
}

// Levels of a mipmapped array, by copies.
void levels() {
  CUDA_ARRAY3D_DESCRIPTOR desc{};
  desc.Width = desc.Height = 4;
  desc.Format = CU_AD_FORMAT_SIGNED_INT32;
  desc.NumChannels = 1;
  CUmipmappedArray array;
  CHECK(cuMipmappedArrayCreate(&array, &desc, 3));
  CUarray level;
  CHECK(cuMipmappedArrayGetLevel(&level, array, 1));
  CUDA_ARRAY_DESCRIPTOR stored{};
  CHECK(cuArrayGetDescriptor(&stored, level));
  EXPECT(stored.Width == 2 && stored.Height == 2);
  CHECK(cuMipmappedArrayDestroy(array));
}

int main() {
  cudaFree(nullptr);  // creates the context
  surface_and_texture();
  bytes_as_numbers();
  rows();
  levels();
  std::puts("correct");
}
