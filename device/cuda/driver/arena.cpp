#include "device/cuda/driver/arena.hpp"

#include <algorithm>

#include "device/cuda/driver/driver_error.hpp"

namespace warpcheck::device::cuda {
namespace {

// Granularity of the mappings on all GPUs.
constexpr std::size_t kGranularity = std::size_t{2} << 20;
constexpr std::size_t kLeastBytes = std::size_t{16} << 20;
constexpr std::size_t kMostKept = std::size_t{256} << 20;
constexpr std::size_t kDistance = std::size_t{256} << 30;

}  // namespace

int Arena::free() {
  if (bytes_ == 0) return kSuccess;
  int result = driver_.mem_unmap(begin_, bytes_);
  if (result == kSuccess) result = driver_.mem_release(memory_);
  bytes_ = 0;
  return result;
}

int Arena::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return kSuccess;
  int result = free();
  if (result == kSuccess && begin_ == 0) {
    result = driver_.mem_address_reserve(&begin_, 2 * kDistance, kGranularity, 0, 0);
    if (result == kSuccess) begin_ += kDistance;
  }
  const std::size_t wanted = std::max(kLeastBytes, bytes + bytes / 4);
  const std::size_t whole = (wanted + kGranularity - 1) / kGranularity * kGranularity;
  const AllocationProperties properties{.location = {.device = device_}};
  const MemoryAccess access{.location = {.device = device_}};
  if (result == kSuccess) result = driver_.mem_create(&memory_, whole, &properties, 0);
  if (result != kSuccess) return result;
  result = driver_.mem_map(begin_, whole, 0, memory_, 0);
  if (result == kSuccess) result = driver_.mem_set_access(begin_, whole, &access, 1);
  if (result == kSuccess) bytes_ = whole;
  return result;
}

void Arena::trim() {
  if (bytes_ > kMostKept) (void)free();
}

}  // namespace warpcheck::device::cuda
