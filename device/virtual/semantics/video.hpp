// Scalar video instructions (PTX ISA 9.7.18.1): the selection of a part of each operand,
// saturation, the secondary operation and the merge of the result into the third operand.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpcheck::semantics::video {

/// The whole register, one of its four bytes, or one of its two halves.
enum class Part : std::uint8_t { whole, b0, b1, b2, b3, h0, h1 };

/// The operation on the result and the third operand.
enum class Secondary : std::uint8_t { none, add, min, max };

[[nodiscard]] constexpr unsigned part_bits(Part part) {
  return part == Part::whole ? 32 : part >= Part::h0 ? 16 : 8;
}
[[nodiscard]] constexpr unsigned part_shift(Part part) {
  if (part == Part::whole) return 0;
  return part >= Part::h0 ? 16 * (static_cast<unsigned>(part) - static_cast<unsigned>(Part::h0))
                          : 8 * (static_cast<unsigned>(part) - static_cast<unsigned>(Part::b0));
}

/// The value of a part, extended by sign or by zeros.
[[nodiscard]] constexpr std::int64_t select(std::uint32_t value, Part part, bool is_signed) {
  const unsigned bits = part_bits(part);
  const std::uint64_t field =
      std::uint64_t{value} >> part_shift(part) & ((std::uint64_t{1} << bits) - 1);
  const bool negative = is_signed && (field >> (bits - 1) & 1) != 0;
  return static_cast<std::int64_t>(field) - (negative ? std::int64_t{1} << bits : 0);
}

/// The value of the part's width that is nearest to `value`.
[[nodiscard]] constexpr std::int64_t saturate(std::int64_t value, Part part, bool is_signed) {
  const unsigned bits = part_bits(part);
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(value, is_signed ? -most - 1 : std::int64_t{0}, most);
}

/// An intermediate result, which has 33 bits and a sign.
[[nodiscard]] constexpr std::int64_t intermediate(std::int64_t value) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << 31) >> 31;
}

[[nodiscard]] constexpr std::int64_t combine(std::int64_t value, Secondary secondary,
                                             std::int64_t c) {
  switch (secondary) {
    case Secondary::add:
      return value + c;
    case Secondary::min:
      return std::min(intermediate(value), c);
    case Secondary::max:
      return std::max(intermediate(value), c);
    default:
      return value;
  }
}

/// Replaces a part of c by the low bits of `value`.
[[nodiscard]] constexpr std::uint32_t merge(std::int64_t value, Part part, std::uint32_t c) {
  if (part == Part::whole) return static_cast<std::uint32_t>(value);
  const std::uint32_t mask = ((1U << part_bits(part)) - 1) << part_shift(part);
  return (c & ~mask) | (static_cast<std::uint32_t>(value) << part_shift(part) & mask);
}

/// vshl and vshr: amounts above 32 count as 32 or, with `wrap`, modulo 32.
[[nodiscard]] constexpr unsigned shift_amount(std::int64_t amount, bool wrap) {
  return static_cast<unsigned>(wrap ? amount & 31 : std::min<std::int64_t>(amount, 32));
}

/// The modifiers of vmad.
struct MultiplyAdd {
  bool plus_one = false;         // .po
  bool negates_product = false;  // -a or -b
  bool negates_c = false;
  bool saturates = false;
  bool is_signed = false;  // the final result is signed: a or b is signed, or a term is negated
  unsigned shift = 0;      // .shr7 or .shr15
};

/// vmad: (a * b + c) >> shift. A negated product is its complement plus one.
[[nodiscard]] constexpr std::uint32_t multiply_add(std::int64_t a, std::int64_t b, std::uint32_t c,
                                                   const MultiplyAdd& m) {
  __extension__ using Wide = __int128;
  Wide product = Wide{a} * b;
  std::uint32_t addend = c;
  bool one = m.plus_one;
  if (!m.plus_one && m.negates_product) {
    product = ~product;
    one = true;
  } else if (!m.plus_one && m.negates_c) {
    addend = ~addend;
    one = true;
  }
  const Wide extended = m.is_signed ? Wide{static_cast<std::int32_t>(addend)} : Wide{addend};
  const Wide sum = product + extended + (one ? 1 : 0);
  const auto result = static_cast<std::uint64_t>(sum >> m.shift);
  if (!m.saturates) return static_cast<std::uint32_t>(result);
  if (!m.is_signed) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(result, 0xffff'ffff));
  }
  return static_cast<std::uint32_t>(saturate(static_cast<std::int64_t>(result), Part::whole, true));
}

}  // namespace warpcheck::semantics::video
