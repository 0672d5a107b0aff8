// tex1D() of an array of two rows is an instruction for another kind of image.
// exits: 1
// prints: error[invalid-call]: the instruction reads a 1-d image
#include <cstdio>

__global__ void read(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f);
}

int main() {
  float host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *out;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 4, 2);
  cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 2, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &desc, nullptr);
  cudaMalloc(&out, 16);
  read<<<1, 4>>>(t, out);
  cudaDeviceSynchronize();
  return 0;
}
