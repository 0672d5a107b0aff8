// cvt between all integer and floating-point types (PTX ISA 9.7.9.21), and cvt.pack (9.7.9.22).
//
//   convert_integer<D, sat>            integer -> integer
//   from_integer<D, R, sat>            integer -> floating point
//   to_integer<D, I, ftz>              floating point -> integer; I the integer rounding
//   to_integral<I, ftz, sat>           floating point -> the same type, integral value
//   convert<D, R, ftz, sat>            floating point -> floating point
//   downcast<D, R, relu, satfinite>    f32 or f16 -> f16, bf16, tf32, e4m3, e5m2
//   downcast2, upcast2, convert_pack   the packed forms
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "device/virtual/semantics/half.hpp"

namespace warpcheck::semantics {

/// Nearest even, toward zero, toward minus infinity, toward plus infinity.
enum class IntegerRounding : std::uint8_t { rni, rzi, rmi, rpi };

/// Narrowing keeps the low bits, or clamps with sat; widening extends by the sign if S is signed.
template <std::integral D, bool sat = false, std::integral S>
[[nodiscard]] constexpr D convert_integer(S a) {
  using Limits = std::numeric_limits<D>;
  if constexpr (sat) {
    if (std::cmp_less(a, Limits::min())) return Limits::min();
    if (std::cmp_greater(a, Limits::max())) return Limits::max();
  }
  return static_cast<D>(a);
}

namespace detail {

/// A 64-bit magnitude, rounded to odd in double. Every further rounding to f32 or a narrower format
/// is then correct.
[[nodiscard]] constexpr double magnitude_to_odd(std::uint64_t magnitude) {
  const std::uint64_t sticky = (magnitude & 0x7ff) != 0 ? 0x800 : 0;
  return static_cast<double>(magnitude >> 53 == 0 ? magnitude : (magnitude & ~0x7ffULL) | sticky);
}

/// A 64-bit magnitude rounded to f64, up or down in magnitude.
[[nodiscard]] constexpr double magnitude_to_double(std::uint64_t magnitude, bool away) {
  const int leading = std::countl_zero(magnitude);
  const int shift = leading < 11 ? 11 - leading : 0;
  const std::uint64_t truncated = magnitude >> shift << shift;
  const double down = static_cast<double>(truncated);
  return away && truncated != magnitude ? down + static_cast<double>(std::uint64_t{1} << shift)
                                        : down;
}

template <IntegerRounding I>
[[nodiscard]] inline double round_to_integral(double a) {
  if constexpr (I == IntegerRounding::rni)
    return std::nearbyint(a);  // the host's mode rounds to nearest even
  if constexpr (I == IntegerRounding::rzi) return std::trunc(a);
  if constexpr (I == IntegerRounding::rmi) return std::floor(a);
  if constexpr (I == IntegerRounding::rpi) return std::ceil(a);
}

}  // namespace detail

template <Floating D, Rounding R, bool sat = false, std::integral S>
[[nodiscard]] constexpr D from_integer(S a) {
  D result;
  if constexpr ((R == Rounding::rn && detail::native<D, R>) ||
                (std::same_as<D, double> && sizeof(S) < 8)) {
    result = static_cast<D>(a);
  } else {
    const bool negative = a < S{0};
    const auto bits = static_cast<std::uint64_t>(a);
    const std::uint64_t magnitude = negative ? std::uint64_t{0} - bits : bits;
    if constexpr (std::same_as<D, double>) {
      const bool away = R == Rounding::rp ? !negative : R == Rounding::rm && negative;
      const double unsigned_result = detail::magnitude_to_double(magnitude, away);
      result = negative ? -unsigned_result : unsigned_result;
    } else {
      const double exact = detail::magnitude_to_odd(magnitude);
      result = narrow<D, R>(negative ? -exact : exact);
    }
  }
  if constexpr (sat) result = saturate(result);
  return result;
}

/// Values out of range are clamped, with and without .sat. NaN becomes the highest bit of the
/// destination if the source is f64 or the destination has 64 bits, otherwise 0.
template <std::integral D, IntegerRounding I, bool ftz = false, Floating S>
[[nodiscard]] inline D to_integer(S a) {
  using Limits = std::numeric_limits<D>;
  constexpr bool wide = sizeof(D) == 8;
  constexpr auto top_bit = static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1));
  constexpr D nan_result = wide || std::same_as<S, double> ? top_bit : D{0};
  const double value = detail::round_to_integral<I>(widen(flush_if<ftz>(a)));
  constexpr double low = static_cast<double>(Limits::min());
  if constexpr (wide) {
    // One more than the largest value, which is not a double.
    constexpr double beyond = std::is_signed_v<D> ? 0x1p63 : 0x1p64;
    const bool fits = value >= low && value < beyond;
    if (!fits) return value != value ? nan_result : value < 0 ? Limits::min() : Limits::max();
    return static_cast<D>(value);
  } else {
    constexpr double high = static_cast<double>(Limits::max());
    // NaN gives `low`; the last line replaces it.
    const double at_least = value > low ? value : low;
    const double clamped = at_least < high ? at_least : high;
    using Signed = std::conditional_t<std::same_as<D, std::uint32_t>, std::int64_t, std::int32_t>;
    const D number = static_cast<D>(static_cast<Signed>(clamped));
    return value != value ? nan_result : number;
  }
}

/// cvt.rni.f32.f32 and the other conversions to an integral value.
template <IntegerRounding I, bool ftz = false, bool sat = false, Floating T>
[[nodiscard]] inline T to_integral(T a) {
  a = flush_if<ftz>(a);
  const double value = detail::round_to_integral<I>(widen(a));
  if constexpr (std::same_as<T, double>)
    return detail::finish<false, sat>(value, a);
  else
    // The conversion is exact.
    return detail::finish<false, sat>(narrow<T, Rounding::rn>(value), a);
}

/// .ftz flushes only f32 operands and results. If D is wider, the conversion is exact and R has no
/// effect. An f64 NaN from a narrower type has its payload in the upper bits.
template <Floating D, Rounding R = Rounding::rn, bool ftz = false, bool sat = false, Floating S>
[[nodiscard]] inline D convert(S a) {
  a = flush_if < ftz && std::same_as < S, float >> (a);
  const auto value = widen(a);
  D result;
  if constexpr (std::same_as<D, double>)
    result = static_cast<double>(value);
  else if constexpr (std::same_as<D, S>)
    result = a;
  else if constexpr (detail::native<D, R>)
    result = static_cast<D>(value);
  else
    result = narrow<D, R>(value);
  return detail::finish < ftz && std::same_as<D, float>, sat > (result, static_cast<double>(value));
}

/// Converts to f16, bf16 or tf32 with .relu or .satfinite, or to e4m3 or e5m2, for which satfinite
/// is mandatory.
template <class D, Rounding R, bool with_relu = false, bool satfinite = false, Floating S>
[[nodiscard]] constexpr D downcast(S a) {
  static_assert(satfinite || sizeof(D) > 1, "cvt to an 8-bit type has .satfinite");
  const D result = narrow<D, R, satfinite>(widen(a));
  if constexpr (with_relu) return relu(result);
  return result;
}

/// cvt.f16x2.f32 d, a, b and similar: a is the upper half of the result, b the lower.
template <class D, Rounding R, bool with_relu = false, bool satfinite = false>
[[nodiscard]] constexpr auto downcast2(float a, float b) {
  const auto upper = downcast<D, R, with_relu, satfinite>(a).bits;
  const auto lower = downcast<D, R, with_relu, satfinite>(b).bits;
  using Pair = std::conditional_t<sizeof(D) == 1, std::uint16_t, std::uint32_t>;
  return static_cast<Pair>(static_cast<Pair>(upper) << (8 * sizeof(D)) | lower);
}
/// cvt.rn.satfinite.e4m3x2.f16x2 and e5m2x2.
template <class D, bool with_relu = false>
[[nodiscard]] constexpr std::uint16_t downcast2(std::uint32_t f16x2) {
  return downcast2<D, Rounding::rn, with_relu, true>(widen(high_half<f16>(f16x2)),
                                                     widen(low_half<f16>(f16x2)));
}
/// cvt.rn.f16x2.e4m3x2 and e5m2x2, which are exact.
template <class S, bool with_relu = false>
[[nodiscard]] constexpr std::uint32_t upcast2(std::uint16_t pair) {
  const S lower{static_cast<std::uint8_t>(pair)};
  const S upper{static_cast<std::uint8_t>(pair >> 8)};
  return downcast2<f16, Rounding::rn, with_relu>(widen(upper), widen(lower));
}

/// cvt.pack.sat: a and b are clamped to `bits` bits (2, 4, 8 or 16, signed or not). b is the lower
/// one; the bits of c are above them.
template <int bits, bool is_signed>
[[nodiscard]] constexpr std::uint32_t convert_pack(std::int32_t a, std::int32_t b,
                                                   std::uint32_t c = 0) {
  constexpr std::int32_t low = is_signed ? -(1 << (bits - 1)) : 0;
  constexpr std::int32_t high = (1 << (is_signed ? bits - 1 : bits)) - 1;
  constexpr std::uint32_t mask = (1U << bits) - 1;
  const auto clamp = [](std::int32_t value) {
    const std::int32_t above = value < low ? low : value;
    return static_cast<std::uint32_t>(above > high ? high : above) & mask;
  };
  const std::uint32_t pair = clamp(a) << bits | clamp(b);
  return bits == 16 ? pair : pair | c << (2 * bits % 32);
}

}  // namespace warpcheck::semantics
