// min and max of floating-point values (PTX ISA 9.7.3.11, 9.7.3.12, 9.7.4.7, 9.7.4.8).
//
// Template arguments: <ftz, NaN, xorsign.abs>. -0 is below +0. If one operand is NaN, the result is
// the other operand, or NaN with .NaN. A NaN result is canonical; for f64 it is the NaN of b, made
// quiet, as on an H200.
#pragma once

#include <type_traits>

#include "device/virtual/semantics/float.hpp"

namespace warpcheck::semantics {

namespace detail {

/// An integer with the order of the numbers, -0 below +0.
template <Floating T>
[[nodiscard]] constexpr auto ordered(T value) {
  using Signed = typename Format<T>::SignedBits;
  using Unsigned = BitsOf<T>;
  const auto bits = static_cast<Signed>(to_bits(value));
  const auto below_zero =
      static_cast<Unsigned>(bits >> (8 * sizeof(Signed) - 1));  // all ones or all zeros
  return static_cast<Signed>(static_cast<Unsigned>(bits) ^
                             static_cast<Unsigned>(below_zero & ~Format<T>::sign));
}

template <bool maximum, bool ftz, bool nan, bool xorsign_abs, Floating T>
[[nodiscard]] constexpr T extremum(T a, T b) {
  a = flush_if<ftz>(a);
  b = flush_if<ftz>(b);
  const auto sign =
      static_cast<BitsOf<T>>((to_bits(a) ^ to_bits(b)) & (xorsign_abs ? Format<T>::sign : 0));
  const T x = xorsign_abs ? absolute(a) : a;
  const T y = xorsign_abs ? absolute(b) : b;
  const bool take_x = maximum ? ordered(x) > ordered(y) : ordered(x) < ordered(y);
  const BitsOf<T> number_bits = take_x ? to_bits(x) : to_bits(y);
  const BitsOf<T> unless_y = is_nan(y) ? to_bits(x) : number_bits;
  const BitsOf<T> chosen = is_nan(x) ? to_bits(y) : unless_y;
  const bool result_is_nan = nan ? is_nan(x) || is_nan(y) : is_nan(x) && is_nan(y);
  T none;
  if constexpr (std::same_as<T, double>)
    none = first_nan(b, a);
  else
    none = canonical_nan<T>();
  return from_bits<T>(result_is_nan ? to_bits(none) : static_cast<BitsOf<T>>(chosen | sign));
}

}  // namespace detail

template <bool ftz = false, bool nan = false, bool xorsign_abs = false, Floating T>
[[nodiscard]] constexpr T min(T a, T b) {
  return detail::extremum<false, ftz, nan, xorsign_abs>(a, b);
}
template <bool ftz = false, bool nan = false, bool xorsign_abs = false, Floating T>
[[nodiscard]] constexpr T max(T a, T b) {
  return detail::extremum<true, ftz, nan, xorsign_abs>(a, b);
}

/// The forms with three inputs: <ftz, NaN, abs>.
template <bool ftz = false, bool nan = false, bool abs = false, Floating T>
[[nodiscard]] constexpr T min(T a, T b, T c) {
  if constexpr (abs) return min<ftz, nan>(min<ftz, nan>(absolute(a), absolute(b)), absolute(c));
  return min<ftz, nan>(min<ftz, nan>(a, b), c);
}
template <bool ftz = false, bool nan = false, bool abs = false, Floating T>
[[nodiscard]] constexpr T max(T a, T b, T c) {
  if constexpr (abs) return max<ftz, nan>(max<ftz, nan>(absolute(a), absolute(b)), absolute(c));
  return max<ftz, nan>(max<ftz, nan>(a, b), c);
}

}  // namespace warpcheck::semantics
