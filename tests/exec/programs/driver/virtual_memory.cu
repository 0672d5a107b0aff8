// A vector that grows in place: addresses are reserved once, and memory is mapped as it grows. The
// argument selects a defect.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "check.h"

__global__ void fill(int* values, size_t first, int value) { values[first + threadIdx.x] = value; }

__global__ void sum(const int* values, size_t first, int* total) {
  atomicAdd(total, values[first + threadIdx.x]);
}

CUmemAllocationProp of_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  return properties;
}

class GrowingVector {
 public:
  explicit GrowingVector(size_t chunks) : chunks_(chunks) {
    const CUmemAllocationProp properties = of_device();
    CHECK(cuMemGetAllocationGranularity(&chunk_, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(cuMemAddressReserve(&begin_, chunks * chunk_, 0, 0, 0));
  }
  ~GrowingVector() {
    while (!handles_.empty()) shrink();
    CHECK(cuMemAddressFree(begin_, chunks_ * chunk_));
  }

  void grow(CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
    const CUmemAllocationProp properties = of_device();
    CUmemGenericAllocationHandle handle;
    CHECK(cuMemCreate(&handle, chunk_, &properties, 0));
    const CUdeviceptr at = begin_ + handles_.size() * chunk_;
    CHECK(cuMemMap(at, chunk_, 0, handle, 0));
    CHECK(cuMemRelease(handle));  // it exists until it is unmapped
    handles_.push_back(handle);
    protect(handles_.size() - 1, access);
  }
  void protect(size_t chunk, CUmemAccess_flags flags) {
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) return;
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    access.flags = flags;
    CHECK(cuMemSetAccess(begin_ + chunk * chunk_, chunk_, &access, 1));
    unsigned long long stored = 0;
    CHECK(cuMemGetAccess(&stored, &access.location, begin_ + chunk * chunk_));
    if (stored != static_cast<unsigned long long>(flags)) std::printf("other flags\n");
  }
  void shrink() {
    handles_.pop_back();
    CHECK(cuMemUnmap(begin_ + handles_.size() * chunk_, chunk_));
  }

  [[nodiscard]] int* data() const { return reinterpret_cast<int*>(begin_); }
  [[nodiscard]] CUdeviceptr address() const { return begin_; }
  [[nodiscard]] size_t chunk() const { return chunk_; }
  [[nodiscard]] size_t chunk_ints() const { return chunk_ / sizeof(int); }

 private:
  size_t chunks_;
  size_t chunk_ = 0;
  CUdeviceptr begin_ = 0;
  std::vector<CUmemGenericAllocationHandle> handles_;
};

// A handle keeps its bytes when it is mapped elsewhere.
void move_memory() {
  const CUmemAllocationProp properties = of_device();
  CUmemGenericAllocationHandle handle;
  CUdeviceptr range;
  const size_t chunk = size_t{2} << 20;
  CHECK(cuMemCreate(&handle, chunk, &properties, 0));
  CHECK(cuMemAddressReserve(&range, 2 * chunk, 0, 0, 0));
  CUmemAccessDesc access{};
  access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  for (const size_t offset : {size_t{0}, chunk}) {
    CHECK(cuMemMap(range + offset, chunk, 0, handle, 0));
    CHECK(cuMemSetAccess(range + offset, chunk, &access, 1));
    if (offset == 0) fill<<<1, 32>>>(reinterpret_cast<int*>(range), 0, 7);
    int value = 0;
    CHECK(cuMemcpyDtoH(&value, range + offset, sizeof value));
    if (value != 7) std::printf("found %d\n", value);
    CHECK(cuMemUnmap(range + offset, chunk));
  }
  CHECK(cuMemAddressFree(range, 2 * chunk));
  CHECK(cuMemRelease(handle));
}

int main(int count, char** arguments) {
  const char* const defect = count > 1 ? arguments[1] : "";
  const auto is = [defect](const char* name) { return std::strcmp(defect, name) == 0; };
  cudaFree(nullptr);
  int supported = 0;
  CHECK(
      cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  {
    GrowingVector vector(4);
    vector.grow();
    vector.grow(is("no-access") ? CU_MEM_ACCESS_FLAGS_PROT_NONE
                                : CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    const size_t last = 2 * vector.chunk_ints() - 32;
    const size_t middle = vector.chunk_ints() - 16;  // parts of both chunks
    if (is("undefined")) {
      sum<<<1, 32>>>(vector.data(), last, total);
    }
    if (!is("no-access")) fill<<<1, 32>>>(vector.data(), middle, 2);
    fill<<<1, 32>>>(vector.data(), last, 1);
    if (is("unmapped")) fill<<<1, 32>>>(vector.data(), last + 16, 1);
    if (is("read-only")) {
      vector.protect(1, CU_MEM_ACCESS_FLAGS_PROT_READ);
      fill<<<1, 32>>>(vector.data(), last, 1);
    }
    if (is("freed")) {
      vector.shrink();
      fill<<<1, 32>>>(vector.data(), last, 1);
      vector.grow();
    }
    if (is("copy")) {
      int value = 0;
      const CUdeviceptr beyond = vector.address() + 2 * vector.chunk();
      std::printf("%d\n", cuMemcpyDtoH(&value, beyond, sizeof value));
    }
    if (is("still-mapped")) {
      std::printf("%d\n", cuMemAddressFree(vector.address(), 4 * vector.chunk()));
    }
    if (is("granularity")) {
      CUmemGenericAllocationHandle handle;
      const CUmemAllocationProp properties = of_device();
      std::printf("%d\n", cuMemCreate(&handle, 4096, &properties, 0));
    }
    if (!is("no-access")) sum<<<1, 32>>>(vector.data(), middle, total);
  }
  move_memory();
  int host = 0;
  cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(total);
  std::puts(supported == 1 && host == 64 ? "correct" : "wrong");
}
