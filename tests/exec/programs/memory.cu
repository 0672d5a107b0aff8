// Memory of the host that is registered, memory pools, and batches of copies. With DEFECT, memory
// of the host is used by a kernel after it is unregistered.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "timing.hpp"

__global__ void add(int* to, const int* from) {
  to[threadIdx.x] += from[threadIdx.x];  // finding here
}

constexpr int n = 32;
constexpr std::size_t bytes = n * sizeof(int);

bool registered(int* device) {
  std::vector<int> host(n, 5);
  std::vector<int> beside(n, 2);
  cudaHostRegister(host.data(), bytes, cudaHostRegisterDefault);
  int* mapped = nullptr;
  cudaHostGetDevicePointer(&mapped, host.data(), 0);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, host.data());
  cudaMemcpy(device, beside.data(), bytes, cudaMemcpyDefault);
#ifdef DEFECT
  cudaHostUnregister(host.data());
#endif
  add<<<1, n>>>(mapped, device);
  cudaDeviceSynchronize();
#ifndef DEFECT
  cudaHostUnregister(host.data());
#endif
  cudaMemcpy(device, host.data(), bytes, cudaMemcpyDefault);  // the host's again
  return host[3] == 7 && attributes.type == cudaMemoryTypeHost;
}

bool pooled(cudaStream_t stream) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool, current;
  cudaMemPoolCreate(&pool, &properties);
  std::uint64_t threshold = UINT64_MAX, kept = 0, used = 0, most = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
  cudaDeviceSetMemPool(0, pool);
  cudaDeviceGetMemPool(&current, 0);
  int *a, *b;
  cudaMallocAsync(&a, bytes, stream);
  cudaMallocFromPoolAsync(&b, bytes, pool, stream);
  cudaMemsetAsync(a, 0, bytes, stream);
  cudaMemsetAsync(b, 1, bytes, stream);
  add<<<1, n, 0, stream>>>(a, b);
  std::vector<int> one(n), two(n);
  void* to[] = {one.data(), two.data()};
  const void* from[] = {a, b};
  std::size_t sizes[] = {bytes, bytes};
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;
  cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream);
  cudaFreeAsync(a, stream);
  cudaFreeAsync(b, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
  cudaMemPoolDestroy(pool);
  return current == pool && kept == UINT64_MAX && used == 0 && most >= 2 * bytes &&
         one[4] == 0x01010101 && two == one;
}

int main() {
  const Timing timing;
  int* device;
  cudaMalloc(&device, bytes);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (!registered(device)) return 7;
  if (!pooled(stream)) return 8;
  cudaStreamDestroy(stream);
  cudaFree(device);
  std::puts("correct");
}
