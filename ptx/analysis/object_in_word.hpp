// Objects of 1 or 2 bytes that a function accesses through the word around them. GPUs have no
// atomics of these sizes; libcu++ and hand-written code compare and swap the word, and leave its
// other bytes as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

struct PackedObject {
  unsigned pointer = 0;    // the register with the address of the object
  std::uint8_t bytes = 1;  // 1 or 2
};

/// The object of an access of `word` bytes, 2 or 4, at `pointer & -word`, where `(pointer << 3) &
/// 8` or `& 24` is the position of the object in the word.
[[nodiscard]] std::optional<PackedObject> object_in_word(const Function& function,
                                                         const Address& address, std::size_t word);

}  // namespace warpcheck::ptx::analysis
