// Element values to the bytes that a kernel sees, and back.
#pragma once

#include <cstddef>

#include "base/scalar_type.hpp"

namespace warpcheck::properties::run {

/// Writes size_of(type) bytes, little endian: the value of the format nearest to `exact`, as
/// reference::round_to() has it.
void encode(double exact, ScalarType type, std::byte* to);

/// Exact: every value of every format is a double. tf32 keeps the bits that its 10-bit significand
/// has no room for, as a kernel's output of type tf32 is a float in memory.
[[nodiscard]] double decode(ScalarType type, const std::byte* from);

}  // namespace warpcheck::properties::run
