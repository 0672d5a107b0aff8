// tex1D() reads an array of height 1, as NVIDIA's sample volumeRender does. An H200 prints the
// same.
// build: -arch=sm_80 -lineinfo
// prints: 1 2 3 4
// prints: linear 1 1.5 2.5 3.5
// prints not: error
#include <cstdio>

__global__ void read(cudaTextureObject_t points, cudaTextureObject_t line, float* out) {
  out[threadIdx.x] = tex1D<float>(points, threadIdx.x + 0.5f);
  out[4 + threadIdx.x] = tex1D<float>(line, threadIdx.x);
}

int main() {
  float host[8] = {1, 2, 3, 4}, *out;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 4, 1);
  cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t points, line;
  cudaCreateTextureObject(&points, &resource, &desc, nullptr);
  desc.filterMode = cudaFilterModeLinear;
  cudaCreateTextureObject(&line, &resource, &desc, nullptr);
  cudaMalloc(&out, sizeof host);
  read<<<1, 4>>>(points, line, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g %g linear %g %g %g %g\n", host[0], host[1], host[2], host[3], host[4],
              host[5], host[6], host[7]);
  return 0;
}
