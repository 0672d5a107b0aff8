// The approximate functions (PTX ISA 9.7.3, 9.7.4: .approx and .full). The hardware interpolates in
// tables. These functions compute in double and round: they are within the bound of the manual,
// which is noted at each function, but the last bits may differ. Scaling, argument reduction and
// truncation match an H200: docs/silicon.md.
#pragma once

#include <cmath>
#include <limits>

#include "device/virtual/semantics/float.hpp"

namespace warpcheck::semantics {

namespace detail {
/// The power of two above a 16-bit format's largest number.
template <Floating T>
inline constexpr float beyond_all = std::same_as<T, f16> ? 0x1p16F
                                                         : std::numeric_limits<float>::infinity();
template <bool ftz, Floating T>
[[nodiscard]] inline T rounded(double value) {
  const auto single = static_cast<float>(value);
  if constexpr (std::same_as<T, float>)
    return finish<ftz, false>(single);
  else  // the f32 result is truncated; infinite if it is too large
    return finish<ftz, false>(single < beyond_all<T> ? narrow<T, Rounding::rz>(single)
                                                     : narrow<T, Rounding::rn>(single));
}
template <bool ftz, Floating T>
[[nodiscard]] inline double operand(T a) {
  return widen(flush_if<ftz>(a));
}
}  // namespace detail

/// The error is at most 1 ulp.
template <bool ftz = false>
[[nodiscard]] inline float rcp_approx(float a) {
  return detail::rounded<ftz, float>(1.0 / detail::operand<ftz>(a));
}
/// The relative error is at most 2^-23. NaN for a negative number; -0 for -0.
template <bool ftz = false>
[[nodiscard]] inline float sqrt_approx(float a) {
  return detail::rounded<ftz, float>(std::sqrt(detail::operand<ftz>(a)));
}
/// The relative error is at most 2^-22.9. Minus infinity for -0.
template <bool ftz = false>
[[nodiscard]] inline float rsqrt_approx(float a) {
  return detail::rounded<ftz, float>(1.0 / std::sqrt(detail::operand<ftz>(a)));
}
/// The error is at most 2 ulp.
template <bool ftz = false>
[[nodiscard]] inline float ex2_approx(float a) {
  return detail::rounded<ftz, float>(std::exp2(detail::operand<ftz>(a)));
}
/// The relative error is at most 2^-9.9 (f16) and 2^-7 (bf16, which PTX has only with .ftz).
template <bool ftz = false, Floating T>
requires(sizeof(T) == 2) [[nodiscard]] inline T ex2_approx(T a) {
  return detail::rounded<ftz, T>(std::exp2(detail::operand<ftz>(a)));
}
/// The absolute error is at most 2^-22 in (0.5, 2), the relative error is at most 2^-22 elsewhere.
template <bool ftz = false>
[[nodiscard]] inline float lg2_approx(float a) {
  return detail::rounded<ftz, float>(std::log2(detail::operand<ftz>(a)));
}
namespace detail {
/// sin(|a| + quarters pi / 2) with the argument reduction of the hardware: a / 2 pi is a product of
/// f32, rounded toward zero, and a fixed-point number of 25 fractional bits. 23 of them are the
/// angle within a quarter turn; in odd quarters they are complemented.
template <bool ftz>
[[nodiscard]] inline double sin_of_turns(float a, std::uint32_t quarters) {
  constexpr float turns_per_radian = 0x1.45f306p-3F;
  constexpr double half_pi = 0x1.921fb54442d18p0;
  const auto turns =
      static_cast<double>(absolute(mul<Rounding::rz>(flush_if<ftz>(a), turns_per_radian)));
  const double fraction = turns - std::floor(turns);
  if (!(fraction >= 0)) return fraction;  // NaN, which an infinite angle gives too
  const std::uint32_t turned = static_cast<std::uint32_t>(fraction * 0x1p25) + (quarters << 23);
  const std::uint32_t run = (turned >> 23 & 1) != 0 ? ~turned : turned;
  const double result = std::sin((run & 0x7fffff) * 0x1p-23 * half_pi);
  return (turned >> 24 & 1) != 0 ? -result : result;
}
}  // namespace detail

/// The absolute error is at most 2^-20.5 in [-2 pi, 2 pi] and 2^-14.7 in [-100 pi, 100 pi]; it has
/// no bound elsewhere.
template <bool ftz = false>
[[nodiscard]] inline float sin_approx(float a) {
  const double magnitude = detail::sin_of_turns<ftz>(a, 0);
  return detail::rounded<ftz, float>(is_negative(a) ? -magnitude : magnitude);
}
template <bool ftz = false>
[[nodiscard]] inline float cos_approx(float a) {
  return detail::rounded<ftz, float>(detail::sin_of_turns<ftz>(a, 1));
}
/// The relative error is at most 2^-11 (f32); the absolute error is at most 2^-10.987 (f16) and
/// 2^-8 (bf16). The result is the operand itself up to 2^-8, and 1 from 8 on.
template <Floating T>
requires(sizeof(T) <= 4) [[nodiscard]] inline T tanh_approx(T a) {
  const double x = detail::operand<false>(a);
  const double size = std::fabs(x);
  const double curved = size >= 8 ? std::copysign(1.0, x) : std::tanh(x);
  return detail::rounded<false, T>(size <= 0x1p-8 ? x : curved);
}

/// div.approx: a * (1 / b), with an error of at most 2 ulp for |b| in [2^-126, 2^126]. For larger
/// |b|, the result is the zero with the sign of the quotient, or NaN if a is infinite. If b is
/// subnormal, both operands are first multiplied by 2^24.
template <bool ftz = false>
[[nodiscard]] inline float div_approx(float a, float b) {
  if (absolute(b) < 0x1p-126F) {
    a = mul<Rounding::rn, ftz>(a, 0x1p24F);
    b = mul<Rounding::rn, ftz>(b, 0x1p24F);
  }
  const bool vanishes = absolute(b) > 0x1p126F;
  const float reciprocal = vanishes ? copysign(b, 0.0F) : rcp_approx<ftz>(b);
  return is_nan(b) ? canonical_nan<float>() : mul<Rounding::rn, ftz>(a, reciprocal);
}
/// div.full: the error is at most 2 ulp for all operands. It computes as div.approx, but if |b|
/// exceeds 2^126, both operands are first multiplied by 1/4.
template <bool ftz = false>
[[nodiscard]] inline float div_full(float a, float b) {
  if (absolute(b) > 0x1p126F) {
    a = mul<Rounding::rn, ftz>(a, 0.25F);
    b = mul<Rounding::rn, ftz>(b, 0.25F);
  }
  return div_approx<ftz>(a, b);
}

namespace detail {
/// The operand in 1.11.20 format: the upper word of a double; the lower word is zero. NaN is
/// 0x7fffffff00000000.
[[nodiscard]] inline double upper_word_operand(double a) {
  return flush(std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) >> 32 << 32));
}
[[nodiscard]] inline double upper_word_result(double a) {
  const std::uint64_t cut = std::bit_cast<std::uint64_t>(a) >> 32 << 32;
  return is_nan(a) ? std::bit_cast<double>(std::uint64_t{0x7fffffff00000000})
                   : flush(std::bit_cast<double>(cut));
}
}  // namespace detail

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: a coarse approximation that reads and writes the
/// upper word of the double. The manual states no bound.
[[nodiscard]] inline double rcp_approx_ftz(double a) {
  return detail::upper_word_result(1.0 / detail::upper_word_operand(a));
}
[[nodiscard]] inline double rsqrt_approx_ftz(double a) {
  return detail::upper_word_result(1.0 / std::sqrt(detail::upper_word_operand(a)));
}

/// rsqrt.approx.f64: one step of third order from rsqrt.approx.ftz.f64. The manual states no bound.
[[nodiscard]] inline double rsqrt_approx(double a) {
  constexpr double least_normal = 0x1p-1022;
  if (!(a > 0) || a > std::numeric_limits<double>::max())
    return detail::finish<false, false>(1.0 / std::sqrt(a), a);
  const bool subnormal = a < least_normal;
  const double x = subnormal ? a * 0x1p54 : a;
  const double y = rsqrt_approx_ftz(x);
  const double e = std::fma(x, -(y * y), 1.0);
  const double result = std::fma(std::fma(e, 0.375, 0.5), y * e, y);
  return subnormal ? result * 0x1p27 : result;
}

}  // namespace warpcheck::semantics
