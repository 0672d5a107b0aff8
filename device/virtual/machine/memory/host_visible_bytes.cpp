#include "device/virtual/machine/memory/host_visible_bytes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace warpcheck::machine {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kRegionBytes = std::uint64_t{4} << 30;
/// End of the addresses that a Linux process on x86-64 can map here, below the usual places of
/// libraries and stacks.
constexpr std::uint64_t kLastAddress = 0x7d00'0000'0000;

std::uint64_t whole_pages(std::size_t bytes) {
  return (std::max<std::uint64_t>(bytes, 1) + kPageBytes - 1) / kPageBytes * kPageBytes;
}

}  // namespace

std::byte* HostVisibleBytes::take(std::size_t bytes) {
  const std::uint64_t span = kDistance + whole_pages(bytes);
  if (span > end_ - next_ && !add_region(span)) return nullptr;
  auto* const first = reinterpret_cast<std::byte*>(next_ + kDistance);
  next_ += span;
  return first;
}

void HostVisibleBytes::give_back(std::byte* first, std::size_t bytes) {
  madvise(first, whole_pages(bytes), MADV_DONTNEED);
}

bool HostVisibleBytes::add_region(std::uint64_t bytes) {
  const std::uint64_t size = std::max(bytes, kRegionBytes);
  for (std::uint64_t at = end_; at + size <= kLastAddress; at += size) {
    try {
      regions_.push_back(SparseBytes::zeros_at(at, size));
    } catch (const std::bad_alloc&) {
      continue;  // the process uses these addresses already
    }
    next_ = at;
    end_ = at + size;
    return true;
  }
  return false;
}

}  // namespace warpcheck::machine
