// Comparison and selection (PTX ISA 9.7.6, 9.7.7: set setp selp slct).
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "device/virtual/semantics/formats.hpp"

namespace warpcheck::semantics {

/// lo, ls, hi and hs are lt, le, gt and ge of unsigned integers. If an operand is NaN, the first
/// six are false and equ to geu are true; num requires two numbers, nan at least one NaN.
enum class Compare : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

namespace detail {
template <Compare C, class T>
[[nodiscard]] constexpr bool compare_ordered(T a, T b) {
  if constexpr (C == Compare::eq || C == Compare::equ) return a == b;
  if constexpr (C == Compare::ne || C == Compare::neu) return a != b;
  if constexpr (C == Compare::lt || C == Compare::lo || C == Compare::ltu) return a < b;
  if constexpr (C == Compare::le || C == Compare::ls || C == Compare::leu) return a <= b;
  if constexpr (C == Compare::gt || C == Compare::hi || C == Compare::gtu) return a > b;
  if constexpr (C == Compare::ge || C == Compare::hs || C == Compare::geu) return a >= b;
}
}  // namespace detail

template <Compare C, std::integral T>
[[nodiscard]] constexpr bool compare(T a, T b) {
  static_assert(C < Compare::equ, "an unordered comparison is of floating-point values");
  return detail::compare_ordered<C>(a, b);
}

template <Compare C, bool ftz = false, Floating T>
[[nodiscard]] constexpr bool compare(T a, T b) {
  static_assert(C < Compare::lo || C > Compare::hs, "an unsigned comparison is of integers");
  const auto x = widen(flush_if<ftz>(a));
  const auto y = widen(flush_if<ftz>(b));
  const bool unordered = (x != x) | (y != y);
  if constexpr (C == Compare::num) return !unordered;
  if constexpr (C == Compare::nan) return unordered;
  if constexpr (C == Compare::ne) return (x < y) | (x > y);
  if constexpr (C > Compare::hs && C < Compare::num)
    return unordered | detail::compare_ordered<C>(x, y);
  else if constexpr (C < Compare::lo && C != Compare::ne)
    return detail::compare_ordered<C>(x, y);
}

enum class BoolOp : std::uint8_t { and_, or_, xor_ };

/// setp p|q, a, b, c: p = combine(t, c), q = combine(!t, c), t the comparison.
template <BoolOp B>
[[nodiscard]] constexpr bool combine(bool t, bool c) {
  if constexpr (B == BoolOp::and_) return t & c;
  if constexpr (B == BoolOp::or_) return t | c;
  return t ^ c;
}

/// The result of set: for true, all ones for an integer D, or 1.0 for float, f16 or bf16; for
/// false, zero.
template <class D>
[[nodiscard]] constexpr D set_value(bool t) {
  if constexpr (std::integral<D>)
    return t ? static_cast<D>(~D{0}) : D{0};
  else
    return from_bits<D>(t ? Format<D>::one : BitsOf<D>{0});
}

template <class T>
[[nodiscard]] constexpr T selp(T a, T b, bool p) {
  return p ? a : b;
}

/// slct: a if c >= 0, otherwise b; -0 is >= 0, NaN is not.
template <class T>
[[nodiscard]] constexpr T slct(T a, T b, std::int32_t c) {
  return c >= 0 ? a : b;
}
template <bool ftz = false, class T>
[[nodiscard]] constexpr T slct(T a, T b, float c) {
  return flush_if<ftz>(c) >= 0 ? a : b;
}

}  // namespace warpcheck::semantics
