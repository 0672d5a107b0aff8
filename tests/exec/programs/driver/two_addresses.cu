// Memory at two addresses: a kernel reads at the second one what it wrote at the first one. The
// second argument, if any, leaves out what orders the accesses.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "check.h"

__global__ void reverse(int* data, const int* other, int* result, bool wait) {
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (wait) __syncthreads();
  result[threadIdx.x] = other[blockDim.x - 1 - threadIdx.x];  // one block does both
}

// The message and the flag have two addresses each.
__global__ void send(int* message, int* flag, const int* other, int* other_flag, int* result,
                     bool fence) {
  if (blockIdx.x == 0) {
    *message = 7;
    if (fence) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(other_flag, 0) == 0) {
    }
    if (fence) __threadfence();
    *result = *other;  // another block does it
  }
}

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void add(const int* data, int* result) { result[threadIdx.x] = data[threadIdx.x] + 1; }

int main(int count, char** words) {
  const auto is = [&](const char* name) { return std::strcmp(words[1], name) == 0; };
  const bool ordered = count < 3;
  cudaFree(nullptr);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const size_t bytes = size_t{2} << 20;
  CUmemGenericAllocationHandle memory;
  CUdeviceptr begin;
  CHECK(cuMemCreate(&memory, bytes, &properties, 0));
  CHECK(cuMemAddressReserve(&begin, 2 * bytes, 0, 0, 0));
  CUmemAccessDesc access{};
  access.location = properties.location;
  for (const CUdeviceptr address : {begin, begin + bytes}) {
    CHECK(cuMemMap(address, bytes, 0, memory, 0));
    access.flags = is("read-only") && address != begin ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                                       : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemSetAccess(address, bytes, &access, 1));
  }
  CHECK(cuMemRelease(memory));
  int* const data = reinterpret_cast<int*>(begin);
  int* const other = reinterpret_cast<int*>(begin + bytes);
  int* result;
  cudaMalloc(&result, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  int expected = 63, found = 0;
  if (is("block") || is("read-only")) reverse<<<1, 64>>>(data, other, result, ordered);
  if (is("warp")) reverse<<<1, 32>>>(data, other, result, ordered), expected = 31;
  if (is("blocks")) send<<<2, 1>>>(data, data + 1, other, other + 1, result, ordered), expected = 7;
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  if (is("streams") || is("copy")) {
    fill<<<1, 32, 0, one>>>(data, 5);
    if (ordered) cudaStreamSynchronize(one);
    expected = is("copy") ? 5 : 6;
    if (is("streams")) add<<<1, 32, 0, two>>>(other, result);
    if (is("copy")) cudaMemcpyAsync(result, other, 4, cudaMemcpyDeviceToDevice, two);
    cudaStreamSynchronize(two);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  CHECK(cuMemUnmap(begin, 2 * bytes));
  CHECK(cuMemAddressFree(begin, 2 * bytes));
  cudaFree(result);
  std::puts(found == expected ? "correct" : "wrong");
}
