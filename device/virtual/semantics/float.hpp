// Floating-point arithmetic of every format and rounding mode (PTX ISA 9.7.3, 9.7.4).
//
// One function per mnemonic, with its modifiers as template arguments: <rounding, ftz, sat>. T is
// float, double, f16 or bf16 and is deduced. Only fma and mad fuse.
//
// NaN results are canonical for f32, f16 and bf16 (see formats.hpp). For f64 the manual defines
// payloads, but not of which operand. As on an H200 (docs/silicon.md), the result is the first NaN
// among b, c and a for add, sub, mul and fma, and among a and b for div, made quiet; or
// 0xfff8000000000000 (CUDART_NAN of the toolkit) if the operands are numbers.
#pragma once

#include <cmath>

#include "device/virtual/semantics/formats.hpp"

namespace warpcheck::semantics {

namespace detail {

/// The first NaN among the operands. It is selected by bits, so that a loop over lanes vectorises.
[[nodiscard]] constexpr std::uint64_t first_nan_bits() { return 0xfff8000000000000; }
template <class... Rest>
[[nodiscard]] constexpr std::uint64_t first_nan_bits(double operand, Rest... rest) {
  const std::uint64_t otherwise = first_nan_bits(rest...);
  const std::uint64_t quiet = to_bits(operand) | std::uint64_t{1} << 51;
  return is_nan(operand) ? quiet : otherwise;
}
template <class... Operands>
[[nodiscard]] constexpr double first_nan(Operands... operands) {
  return from_bits<double>(first_nan_bits(operands...));
}

/// Finishes the result of an arithmetic instruction: NaN, then .ftz, then .sat.
template <bool ftz, bool sat, Floating T, class... Operands>
[[nodiscard]] constexpr T finish(T result, Operands... operands) {
  if constexpr (std::same_as<T, double>)
    result = is_nan(result) ? first_nan(operands...) : result;
  else if constexpr (std::same_as<T, float>)
    result = result != result ? canonical_nan<T>() : result;  // this takes two AVX2 instructions
  else
    result = is_nan(result) ? canonical_nan<T>() : result;
  result = flush_if<ftz>(result);
  if constexpr (sat) result = saturate(result);
  return result;
}

template <Floating T, Rounding R>
inline constexpr bool native = R == Rounding::rn &&
                               (std::same_as<T, float> || std::same_as<T, double>);

}  // namespace detail

template <Rounding R = Rounding::rn, bool ftz = false, bool sat = false, Floating T>
[[nodiscard]] inline T add(T a, T b) {
  a = flush_if<ftz>(a);
  b = flush_if<ftz>(b);
  T result;
  if constexpr (detail::native<T, R>)
    result = a + b;
  else if constexpr (std::same_as<T, double>)
    result = directed<R>([](double x, double y, double) { return x + y; }, a, b);
  else
    result = narrow<T, R>(sum_to_odd<R>(widen(a), widen(b)));
  return detail::finish<ftz, sat>(result, b, a);
}

template <Rounding R = Rounding::rn, bool ftz = false, bool sat = false, Floating T>
[[nodiscard]] inline T sub(T a, T b) {
  a = flush_if<ftz>(a);
  b = flush_if<ftz>(b);
  T result;
  if constexpr (detail::native<T, R>)
    result = a - b;
  else if constexpr (std::same_as<T, double>)
    result = directed<R>([](double x, double y, double) { return x - y; }, a, b);
  else
    result = narrow<T, R>(sum_to_odd<R>(widen(a), widen(negated(b))));
  return detail::finish<ftz, sat>(result, b, a);
}

template <Rounding R = Rounding::rn, bool ftz = false, bool sat = false, Floating T>
[[nodiscard]] inline T mul(T a, T b) {
  a = flush_if<ftz>(a);
  b = flush_if<ftz>(b);
  T result;
  if constexpr (detail::native<T, R>)
    result = a * b;
  else if constexpr (std::same_as<T, double>)
    result = directed<R>([](double x, double y, double) { return x * y; }, a, b);
  else
    // The product is exact in double.
    result = narrow<T, R>(static_cast<double>(widen(a)) * static_cast<double>(widen(b)));
  return detail::finish<ftz, sat>(result, b, a);
}

/// a * b + c with one rounding.
template <Rounding R = Rounding::rn, bool ftz = false, bool sat = false, Floating T>
[[nodiscard]] inline T fma(T a, T b, T c) {
  a = flush_if<ftz>(a);
  b = flush_if<ftz>(b);
  c = flush_if<ftz>(c);
  T result;
  if constexpr (detail::native<T, R>)
    result = std::fma(a, b, c);
  else if constexpr (std::same_as<T, double>)
    result = directed<R>([](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c);
  else
    result = narrow<T, R>(
        sum_to_odd<R>(static_cast<double>(widen(a)) * static_cast<double>(widen(b)), widen(c)));
  return detail::finish<ftz, sat>(result, b, c, a);
}

/// mad on sm_20 and later is fma (PTX ISA 9.7.3.7).
template <Rounding R = Rounding::rn, bool ftz = false, bool sat = false, Floating T>
[[nodiscard]] inline T mad(T a, T b, T c) {
  return fma<R, ftz, sat>(a, b, c);
}

/// div.rnd: IEEE 754 division. div.full and div.approx are in approx.hpp. A quotient or root of
/// operands with 24 bits either has 25 bits, or differs from every number of 25 bits by more than
/// the rounding of a double. Rounding twice is therefore correct.
template <Rounding R = Rounding::rn, bool ftz = false, Floating T>
[[nodiscard]] inline T div(T a, T b) {
  a = flush_if<ftz>(a);
  b = flush_if<ftz>(b);
  T result;
  if constexpr (detail::native<T, R>)
    result = a / b;
  else if constexpr (std::same_as<T, double>)
    result = directed<R>([](double x, double y, double) { return x / y; }, a, b);
  else
    result = narrow<T, R>(static_cast<double>(widen(a)) / static_cast<double>(widen(b)));
  return detail::finish<ftz, false>(result, a, b);
}

/// rcp.rnd
template <Rounding R = Rounding::rn, bool ftz = false, Floating T>
[[nodiscard]] inline T rcp(T a) {
  return div<R, ftz>(from_bits<T>(Format<T>::one), a);
}

/// sqrt.rnd
template <Rounding R = Rounding::rn, bool ftz = false, Floating T>
[[nodiscard]] inline T sqrt(T a) {
  a = flush_if<ftz>(a);
  T result;
  if constexpr (detail::native<T, R>)
    result = std::sqrt(a);
  else if constexpr (std::same_as<T, double>)
    result = directed<R>([](double x, double, double) { return std::sqrt(x); }, a);
  else
    result = narrow<T, R>(std::sqrt(static_cast<double>(widen(a))));
  return detail::finish<ftz, false>(result, a);
}

/// abs and neg. The manual does not specify the NaN of 32-bit and narrower forms; here it is
/// canonical. A f64 NaN keeps its payload and sign, and becomes quiet, as on an H200.
template <bool ftz = false, Floating T>
[[nodiscard]] constexpr T abs(T a) {
  if constexpr (std::same_as<T, double>) return detail::finish<false, false>(absolute(a), a);
  return detail::finish<ftz, false>(absolute(a));
}
template <bool ftz = false, Floating T>
[[nodiscard]] constexpr T neg(T a) {
  if constexpr (std::same_as<T, double>) return detail::finish<false, false>(negated(a), a);
  return detail::finish<ftz, false>(negated(a));
}

/// The value of b with the sign of a: the manual's operand order, the reverse of C's.
template <Floating T>
[[nodiscard]] constexpr T copysign(T a, T b) {
  using F = Format<T>;
  return from_bits<T>(static_cast<BitsOf<T>>((to_bits(a) & F::sign) | (to_bits(b) & ~F::sign)));
}

enum class TestProperty : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };

/// testp. Zeros are normal numbers (PTX ISA 9.7.3.1).
template <TestProperty P, Floating T>
[[nodiscard]] constexpr bool testp(T a) {
  using F = Format<T>;
  const auto magnitude = static_cast<BitsOf<T>>(to_bits(a) & ~F::sign);
  const bool has_exponent = (magnitude & F::infinity) != 0;
  switch (P) {
    case TestProperty::finite:
      return magnitude < F::infinity;
    case TestProperty::infinite:
      return magnitude == F::infinity;
    case TestProperty::number:
      return magnitude <= F::infinity;
    case TestProperty::notanumber:
      return magnitude > F::infinity;
    case TestProperty::normal:
      return (has_exponent || magnitude == 0) && magnitude < F::infinity;
    case TestProperty::subnormal:
      return !has_exponent && magnitude != 0;
  }
}

}  // namespace warpcheck::semantics
