// Converts element values to the bytes in the memory of a kernel, and back.
#pragma once

#include <cstddef>
#include <span>

#include "base/scalar_type.hpp"

namespace warpcheck::campaign::run {

/// Writes size_of(type) bytes, little endian: the value of the format that reference::round_to()
/// returns for `exact`.
void encode(double exact, ScalarType type, std::byte* to);

/// The same for several elements, `distance` bytes apart.
void encode(std::span<const double> exact, ScalarType type, std::byte* to, std::size_t distance);

/// Returns the exact value: a double represents each value of each format. A value of type tf32
/// keeps the bits beyond its 10-bit significand because a tf32 output of a kernel is a float in
/// memory.
[[nodiscard]] double decode(ScalarType type, const std::byte* from);

/// The same for several elements, `distance` bytes apart.
void decode(ScalarType type, const std::byte* from, std::size_t distance, std::span<double> values);

}  // namespace warpcheck::campaign::run
