// Rules for the undefined bits of a result if a source has undefined bits, for instructions whose
// result is not completely undefined then. They follow valgrind's memcheck (Seward and Nethercote,
// USENIX 2005).
#pragma once

#include <cstdint>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine::definedness {

/// Rule of a copy, a complement, an exclusive or: a bit is undefined if that bit of a source is.
inline std::uint64_t bitwise(const LaneSources& s) {
  return s.undefined[0] | s.undefined[1] | s.undefined[2] | s.undefined[3];
}

/// A defined 0 determines an `and`.
inline std::uint64_t conjunction(const LaneSources& s) {
  return (s.undefined[0] | s.undefined[1]) & (s.undefined[0] | s.value[0]) &
         (s.undefined[1] | s.value[1]);
}

/// A defined 1 determines an `or`.
inline std::uint64_t disjunction(const LaneSources& s) {
  return (s.undefined[0] | s.undefined[1]) & (s.undefined[0] | ~s.value[0]) &
         (s.undefined[1] | ~s.value[1]);
}

/// d = c ? a : b.
inline std::uint64_t selection(const LaneSources& s) {
  if (s.undefined[2] != 0) return ~std::uint64_t{0};
  return s.value[2] != 0 ? s.undefined[0] : s.undefined[1];
}

/// Shifts by a defined amount also shift the undefined bits.
inline std::uint64_t shift_left(const LaneSources& s) {
  if (s.undefined[1] != 0) return ~std::uint64_t{0};
  return s.value[1] > 63 ? 0 : s.undefined[0] << s.value[1];
}
inline std::uint64_t shift_right(const LaneSources& s) {
  if (s.undefined[1] != 0) return ~std::uint64_t{0};
  return s.value[1] > 63 ? 0 : s.undefined[0] >> s.value[1];
}

/// Rule of addition and similar operations: carries run upwards from the lowest undefined bit.
inline std::uint64_t upwards(const LaneSources& s) {
  const std::uint64_t any = s.undefined[0] | s.undefined[1] | s.undefined[2] | s.undefined[3];
  return any | (~any + 1);
}

/// Rule of prmt without a mode: each selected byte keeps its undefined bits.
inline std::uint64_t permutation(const LaneSources& s) {
  if (s.undefined[2] != 0) return ~std::uint64_t{0};
  const std::uint64_t both = s.undefined[1] << 32 | (s.undefined[0] & 0xffff'ffff);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t selector = s.value[2] >> (4 * i) & 0xf;
    const std::uint64_t byte = both >> (8 * (selector & 7)) & 0xff;
    const bool sign = (selector & 8) != 0;
    result |= (sign ? (byte & 0x80 ? 0xffU : 0U) : byte) << (8 * i);
  }
  return result;
}

/// Rule of bfe: a field without undefined bits is defined.
inline std::uint64_t bit_field(const LaneSources& s) {
  if ((s.undefined[1] | s.undefined[2]) != 0) return ~std::uint64_t{0};
  const std::uint64_t start = s.value[1] & 0xff;
  const std::uint64_t length = s.value[2] & 0xff;
  if (start > 63) return s.undefined[0] != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t field = length > 63 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
  return (s.undefined[0] >> start & field) != 0 ? ~std::uint64_t{0} : 0;
}

}  // namespace warpcheck::machine::definedness
