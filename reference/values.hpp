// Values of a matrix.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace warpcheck::reference {

/// Leaves numbers that have no initial value uninitialized.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  UninitializedAllocator() = default;
  template <class U>
  explicit UninitializedAllocator(const UninitializedAllocator<U>& /*other*/) {}

  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    std::construct_at(at, std::forward<Arguments>(arguments)...);
  }
};

/// A vector whose size can grow without writing its elements: these are indeterminate.
using Values = std::vector<double, UninitializedAllocator<double>>;

[[nodiscard]] inline bool operator==(const Values& values, const std::vector<double>& others) {
  return std::ranges::equal(values, others);
}

}  // namespace warpcheck::reference
