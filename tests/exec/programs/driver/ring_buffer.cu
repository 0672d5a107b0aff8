// A ring buffer whose memory is mapped at two consecutive ranges of addresses, so that a message
// may pass its end. With DEFECT, a message is longer than the ring.
#include <cuda.h>

#include <cstdio>

#include "check.h"

__global__ void push(int* ring, size_t first, int value) {
  ring[first + threadIdx.x] = value + static_cast<int>(threadIdx.x);
}

__global__ void sum(const int* ring, size_t first, unsigned count, int* total) {
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) {
    atomicAdd(total, ring[first + i]);  // finding here
  }
}

int main() {
  cudaFree(nullptr);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  size_t bytes = 0;
  CHECK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle memory;
  CHECK(cuMemCreate(&memory, bytes, &properties, 0));
  CUdeviceptr begin;
  CHECK(cuMemAddressReserve(&begin, 2 * bytes, 0, 0, 0));
  CHECK(cuMemMap(begin, bytes, 0, memory, 0));
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(begin, bytes, &access, 1));
  int* const ring = reinterpret_cast<int*>(begin);
  const size_t ints = bytes / sizeof(int);
  push<<<1, 16>>>(ring, 0, 500);  // the ring has no second address yet
  CHECK(cuMemMap(begin + bytes, bytes, 0, memory, 0));
  CHECK(cuMemSetAccess(begin + bytes, bytes, &access, 1));
  CHECK(cuMemRelease(memory));
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  int first = 0;
  CHECK(cuMemcpyDtoH(&first, begin + bytes, sizeof first));
  push<<<1, 32>>>(ring, ints - 16, 100);  // 16 values at the end, 16 at the begin
#ifdef DEFECT
  sum<<<1, 32>>>(ring, 2 * ints - 16, 32, total);
#else
  sum<<<1, 32>>>(ring, ints - 16, 32, total);
#endif
  int wrapped[2], sums = 0;
  CHECK(cuMemcpyDtoH(wrapped, begin, sizeof wrapped));
  CHECK(cuMemcpyDtoH(&sums, reinterpret_cast<CUdeviceptr>(total), sizeof sums));
  CHECK(cuMemUnmap(begin, bytes));
  int kept = 0;
  CHECK(cuMemcpyDtoH(&kept, begin + bytes, sizeof kept));
  CHECK(cuMemUnmap(begin + bytes, bytes));
  CHECK(cuMemAddressFree(begin, 2 * bytes));
  cudaFree(total);
  const bool right = first == 500 && wrapped[0] == 116 && wrapped[1] == 117 && kept == 116;
  std::puts(right && sums == 32 * 100 + 31 * 16 ? "correct" : "wrong");
}
