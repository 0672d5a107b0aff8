// Reductions of asynchronous copies, which combine each element of the destination with an element
// of the source.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/virtual/machine/memory/memory.hpp"

namespace warpcheck::machine {

struct Reduction {
  /// The new value of an element, from its old value and the operand.
  using Combine = std::uint64_t (*)(std::uint64_t, std::uint64_t);

  Combine combine = nullptr;  // null: the copy overwrites the elements
  std::size_t element = 1;    // bytes of an element
};

/// Combines each element of `to` with an element of `data`, whose shadow is `shadow`. An element is
/// defined if both are.
void combine_elements(const Reduction& reduction, Bytes to, const std::byte* data,
                      const std::byte* shadow);

}  // namespace warpcheck::machine
