// Memory as the host uses it: allocations, copies and fills, each with its checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/cuda_api.hpp"
#include "runtime/runtime.hpp"

namespace warpcheck::runtime {

/// Rows of `bytes` bytes: as cudaMemcpy2D() and cudaMemcpy3D() copy them. One row: a plain copy.
struct Region {
  std::size_t bytes = 0;
  std::size_t rows = 1;
  std::size_t slices = 1;
};

[[nodiscard]] inline bool is_empty(const Region& region) {
  return region.bytes == 0 || region.rows == 0 || region.slices == 0;
}

/// The first byte of a region and the distances of its rows and slices in bytes.
struct RegionPlace {
  std::uint64_t address = 0;
  std::size_t pitch = 0;
  std::size_t slice_pitch = 0;
};

/// The elements of a fill: 1, 2 or 4 bytes each.
struct FillValue {
  unsigned value = 0;
  std::size_t element_bytes = 1;
};

/// Reports bytes that are not within one live allocation. `access`: "cudaMemcpy reads 64 bytes".
cudaError_t report_range(Runtime& runtime, const std::string& access,
                         const device::RangeError& error);

/// `function`: the name of the function of the runtime, for messages.
cudaError_t allocate(Runtime& runtime, const char* function, void** address, std::size_t bytes,
                     MemoryUse use);
/// Makes memory of the host accessible to the device.
cudaError_t register_memory(Runtime& runtime, const char* function, void* address,
                            std::size_t bytes);
cudaError_t unregister_memory(Runtime& runtime, const char* function, void* address);
/// `use`: the kind of memory that the function frees.
cudaError_t free_memory(Runtime& runtime, const char* function, void* address, MemoryUse use);
cudaError_t copy(Runtime& runtime, const char* function, const RegionPlace& to,
                 const RegionPlace& from, const Region& region, cudaMemcpyKind kind);
cudaError_t fill(Runtime& runtime, const char* function, const RegionPlace& to,
                 const Region& region, FillValue value);

[[nodiscard]] inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
[[nodiscard]] inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace warpcheck::runtime
