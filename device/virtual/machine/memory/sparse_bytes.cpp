#include "device/virtual/machine/memory/sparse_bytes.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace warpcheck::machine {
namespace {

// Larger sizes get a mapping of their own, which no limit on overcommitted memory refuses.
constexpr std::size_t kMapped = std::size_t{1} << 26;

}  // namespace

SparseBytes::SparseBytes(std::size_t size) : size_(size) {
  if (size == 0) return;
  void* first = nullptr;
  if (size < kMapped) {
    first = std::calloc(size, 1);  // NOLINT(cppcoreguidelines-no-malloc): zeros without a memset
  } else {
    first = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (first == MAP_FAILED) first = nullptr;
  }
  if (first == nullptr) throw std::bad_alloc();
  first_ = {static_cast<std::byte*>(first), Release{size}};
}

void SparseBytes::Release::operator()(std::byte* first) const {
  if (size < kMapped) {
    std::free(first);  // NOLINT(cppcoreguidelines-no-malloc)
  } else {
    munmap(first, size);
  }
}

}  // namespace warpcheck::machine
