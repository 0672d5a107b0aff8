// A picture of the Mandelbrot set in a surface, with its colours from a texture. The defect: one
// row too many.
#include <vector>

#include "common.h"

__global__ void mandelbrot(cudaSurfaceObject_t image, cudaTextureObject_t palette, int w, int h,
                           int extra, int maxIter) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h + extra) return;
  float cr = -2.0f + 3.0f * x / w, ci = -1.0f + 2.0f * y / h, zr = 0, zi = 0;
  int n = 0;
  while (n < maxIter && zr * zr + zi * zi < 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++n;
  }
  float4 c = tex1D<float4>(palette, (n + 0.5f) / (maxIter + 1));
  uchar4 pixel = make_uchar4(c.x * 255, c.y * 255, c.z * 255, 255);
  surf2Dwrite(pixel, image, x * sizeof(uchar4), y);  // finding here
}

int main(int argc, char** argv) {
  const Timing timing;
  const int w = size_or(100, argc, argv), h = w, maxIter = 50;
  std::vector<float4> colors(maxIter + 1);
  for (int i = 0; i <= maxIter; ++i)
    colors[i] = make_float4(i / float(maxIter), 0.5f, 1 - i / float(maxIter), 1);
  cudaChannelFormatDesc f4 = cudaCreateChannelDesc<float4>(), u4 = cudaCreateChannelDesc<uchar4>();
  cudaArray_t paletteArray, imageArray;
  CHECK(cudaMallocArray(&paletteArray, &f4, colors.size(), 0));
  CHECK(cudaMemcpy2DToArray(paletteArray, 0, 0, colors.data(), colors.size() * sizeof(float4),
                            colors.size() * sizeof(float4), 1, cudaMemcpyHostToDevice));
  CHECK(cudaMallocArray(&imageArray, &u4, w, h, cudaArraySurfaceLoadStore));
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = paletteArray;
  cudaTextureDesc td = {};
  td.addressMode[0] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModeLinear;
  td.readMode = cudaReadModeElementType;
  td.normalizedCoords = 1;
  cudaTextureObject_t palette;
  CHECK(cudaCreateTextureObject(&palette, &res, &td, nullptr));
  res.res.array.array = imageArray;
  cudaSurfaceObject_t image;
  CHECK(cudaCreateSurfaceObject(&image, &res));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  mandelbrot<<<grid, block>>>(image, palette, w, h, has_defect(argc, argv), maxIter);
  CHECK(cudaGetLastError());
  std::vector<uchar4> out(w * h);
  CHECK(cudaMemcpy2DFromArray(out.data(), w * sizeof(uchar4), imageArray, 0, 0, w * sizeof(uchar4),
                              h, cudaMemcpyDeviceToHost));
  int inside = 0;
  for (uchar4 c : out) inside += c.x == 255;
  CHECK(cudaDestroyTextureObject(palette));
  CHECK(cudaDestroySurfaceObject(image));
  CHECK(cudaFreeArray(paletteArray));
  CHECK(cudaFreeArray(imageArray));
  bool ok = inside > w * h / 8 && inside < w * h / 2;
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
