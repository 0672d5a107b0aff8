// The approximate functions (PTX ISA 9.7.3, 9.7.4: .approx and .full). Computed in double and
// rounded once, so that they are within the manual's bounds, which stand beside each; the silicon's
// last bits may differ.
#pragma once

#include <cmath>

#include "device/virtual/semantics/float.hpp"

namespace warpcheck::semantics {

namespace detail {
template <bool ftz, Floating T>
[[nodiscard]] inline T rounded(double value) {
  if constexpr (std::same_as<T, float>)
    return finish<ftz, false>(static_cast<float>(value));
  else
    return finish<ftz, false>(narrow<T, Rounding::rn>(value));
}
template <bool ftz, Floating T>
[[nodiscard]] inline double operand(T a) {
  return widen(flush_if<ftz>(a));
}
}  // namespace detail

/// At most 1 ulp.
template <bool ftz = false>
[[nodiscard]] inline float rcp_approx(float a) {
  return detail::rounded<ftz, float>(1.0 / detail::operand<ftz>(a));
}
/// Relative error at most 2^-23. Of a negative number: NaN; of -0: -0.
template <bool ftz = false>
[[nodiscard]] inline float sqrt_approx(float a) {
  return detail::rounded<ftz, float>(std::sqrt(detail::operand<ftz>(a)));
}
/// Relative error at most 2^-22.9. Of -0: minus infinity.
template <bool ftz = false>
[[nodiscard]] inline float rsqrt_approx(float a) {
  return detail::rounded<ftz, float>(1.0 / std::sqrt(detail::operand<ftz>(a)));
}
/// rsqrt.approx.f64: the manual names no bound.
[[nodiscard]] inline double rsqrt_approx(double a) {
  return detail::finish<false, false>(1.0 / std::sqrt(a), a);
}
/// At most 2 ulp.
template <bool ftz = false>
[[nodiscard]] inline float ex2_approx(float a) {
  return detail::rounded<ftz, float>(std::exp2(detail::operand<ftz>(a)));
}
/// Relative error at most 2^-9.9 (f16) and 2^-7 (bf16, which PTX has with .ftz only).
template <bool ftz = false, Floating T>
requires(sizeof(T) == 2) [[nodiscard]] inline T ex2_approx(T a) {
  return detail::rounded<ftz, T>(std::exp2(detail::operand<ftz>(a)));
}
/// Absolute error at most 2^-22 in (0.5, 2), relative error at most 2^-22 elsewhere.
template <bool ftz = false>
[[nodiscard]] inline float lg2_approx(float a) {
  return detail::rounded<ftz, float>(std::log2(detail::operand<ftz>(a)));
}
/// Absolute error at most 2^-20.5 in [-2 pi, 2 pi], 2^-14.7 in [-100 pi, 100 pi], no bound beyond.
template <bool ftz = false>
[[nodiscard]] inline float sin_approx(float a) {
  return detail::rounded<ftz, float>(std::sin(detail::operand<ftz>(a)));
}
template <bool ftz = false>
[[nodiscard]] inline float cos_approx(float a) {
  return detail::rounded<ftz, float>(std::cos(detail::operand<ftz>(a)));
}
/// Relative error at most 2^-11 (f32); absolute error at most 2^-10.987 (f16) and 2^-8 (bf16).
template <Floating T>
requires(sizeof(T) <= 4) [[nodiscard]] inline T tanh_approx(T a) {
  return detail::rounded<false, T>(std::tanh(detail::operand<false>(a)));
}

/// div.approx: a * (1 / b), at most 2 ulp for |b| in [2^-126, 2^126]; beyond 2^126 the zero of the
/// quotient's sign, or NaN where a is infinite.
template <bool ftz = false>
[[nodiscard]] inline float div_approx(float a, float b) {
  const bool vanishes = absolute(b) > 0x1p126F;
  const float reciprocal = vanishes ? copysign(b, 0.0F) : rcp_approx<ftz>(b);
  return is_nan(b) ? canonical_nan<float>() : mul<Rounding::rn, ftz>(a, reciprocal);
}
/// div.full: at most 2 ulp everywhere; here correctly rounded.
template <bool ftz = false>
[[nodiscard]] inline float div_full(float a, float b) {
  return div<Rounding::rn, ftz>(a, b);
}

namespace detail {
/// The 1.11.20 format: the upper word of a double, the lower one zero. NaN is 0x7fffffff00000000.
[[nodiscard]] inline double upper_word_operand(double a) {
  return flush(std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) >> 32 << 32));
}
[[nodiscard]] inline double upper_word_result(double a) {
  const std::uint64_t nearest = (std::bit_cast<std::uint64_t>(a) + 0x80000000U) >> 32 << 32;
  return is_nan(a) ? std::bit_cast<double>(std::uint64_t{0x7fffffff00000000})
                   : flush(std::bit_cast<double>(nearest));
}
}  // namespace detail

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: from and to the upper word of the double, a fast
/// and gross approximation without a bound in the manual.
[[nodiscard]] inline double rcp_approx_ftz(double a) {
  return detail::upper_word_result(1.0 / detail::upper_word_operand(a));
}
[[nodiscard]] inline double rsqrt_approx_ftz(double a) {
  return detail::upper_word_result(1.0 / std::sqrt(detail::upper_word_operand(a)));
}

}  // namespace warpcheck::semantics
