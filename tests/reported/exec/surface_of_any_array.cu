// Surface objects of arrays that were allocated without cudaArraySurfaceLoadStore, as an H200
// accepts them: a plain one, a layered one and a level of a mipmapped one.
// exits: 0
// prints: plain cudaSuccess, layered cudaSuccess, level cudaSuccess
// prints: 3
// prints: 0 findings
#include <cstdio>

__global__ void store(cudaSurfaceObject_t surface) {
  surf2Dwrite(make_uchar4(1, 2, 3, 4), surface, 4 * threadIdx.x, threadIdx.y);
}

cudaError_t create(cudaSurfaceObject_t& surface, cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return cudaCreateSurfaceObject(&surface, &resource);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t plain, layered, level;
  cudaMipmappedArray_t levels;
  cudaMallocArray(&plain, &format, 8, 8);
  cudaMalloc3DArray(&layered, &format, cudaExtent{8, 8, 2}, cudaArrayLayered);
  cudaMallocMipmappedArray(&levels, &format, cudaExtent{64, 64, 0}, 7);
  cudaGetMipmappedArrayLevel(&level, levels, 1);
  cudaSurfaceObject_t surface, other;
  const cudaError_t of_plain = create(surface, plain), of_layered = create(other, layered);
  std::printf("plain %s, layered %s, level %s\n", cudaGetErrorName(of_plain),
              cudaGetErrorName(of_layered), cudaGetErrorName(create(other, level)));
  store<<<1, dim3(8, 8)>>>(surface);
  uchar4 texels[64];
  cudaMemcpy2DFromArray(texels, 32, plain, 0, 0, 32, 8, cudaMemcpyDeviceToHost);
  std::printf("%d\n", texels[63].z);
}
