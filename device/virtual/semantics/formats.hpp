// The number formats of PTX instructions as bits, and conversions to and from double.
//
// f16, bf16, tf32, e4m3 and e5m2 are structs that contain the bits. Every value of a format other
// than f64 is exact in double. Arithmetic is therefore done in double, and `narrow` rounds once.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "device/virtual/semantics/rounding.hpp"

namespace warpcheck::semantics {

struct f16 {
  std::uint16_t bits;
  friend constexpr bool operator==(f16, f16) = default;
};
struct bf16 {
  std::uint16_t bits;
  friend constexpr bool operator==(bf16, bf16) = default;
};
/// A tf32 value in its 32-bit register: the bits of the f32 with the same value; the low 13 bits
/// are zero.
struct tf32 {
  std::uint32_t bits;
  friend constexpr bool operator==(tf32, tf32) = default;
};
struct e4m3 {
  std::uint8_t bits;
  friend constexpr bool operator==(e4m3, e4m3) = default;
};
struct e5m2 {
  std::uint8_t bits;
  friend constexpr bool operator==(e5m2, e5m2) = default;
};

/// The parameters of a format. `padding` is the number of zero bits below the fraction; max_finite,
/// infinity and one omit them. The manual does not specify the NaN of 32-bit and narrower
/// instructions (PTX ISA 9.7.3, 9.7.4). The canonical NaN, all ones except the sign, is
/// CUDART_NAN_F and CUDART_NAN_FP16 of the toolkit.
template <class T>
struct Format;

template <class BitsT, class SignedBitsT, int exponent, int fraction, int padded = 0>
struct IeeeFormat {
  using Bits = BitsT;
  using SignedBits = SignedBitsT;
  static constexpr int exponent_bits = exponent;
  static constexpr int fraction_bits = fraction;
  static constexpr int padding = padded;
  static constexpr int bias = (1 << (exponent - 1)) - 1;
  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (exponent + fraction + padded));
  static constexpr Bits infinity = static_cast<Bits>(((Bits{1} << exponent) - Bits{1}) << fraction);
  static constexpr Bits max_finite = static_cast<Bits>(infinity - 1);
  static constexpr Bits canonical_nan = static_cast<Bits>(sign - 1);
  static constexpr Bits one = static_cast<Bits>(Bits(bias) << fraction);
};

template <>
struct Format<double> : IeeeFormat<std::uint64_t, std::int64_t, 11, 52> {};
template <>
struct Format<float> : IeeeFormat<std::uint32_t, std::int32_t, 8, 23> {};
template <>
struct Format<f16> : IeeeFormat<std::uint16_t, std::int16_t, 5, 10> {};
template <>
struct Format<bf16> : IeeeFormat<std::uint16_t, std::int16_t, 8, 7> {};
template <>
struct Format<tf32> : IeeeFormat<std::uint32_t, std::int32_t, 8, 10, 13> {};
template <>
struct Format<e5m2> : IeeeFormat<std::uint8_t, std::int8_t, 5, 2> {};
/// e4m3 has no infinity: the largest encoding is its only NaN, the next smaller one is 448.
template <>
struct Format<e4m3> : IeeeFormat<std::uint8_t, std::int8_t, 4, 3> {
  static constexpr std::uint8_t infinity = 0x7f;
  static constexpr std::uint8_t max_finite = 0x7e;
};

/// The formats of floating-point arithmetic.
template <class T>
concept Floating = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, f16> ||
    std::same_as<T, bf16>;

template <class T>
using BitsOf = typename Format<T>::Bits;

template <class T>
[[nodiscard]] constexpr BitsOf<T> to_bits(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}
template <class T>
[[nodiscard]] constexpr T from_bits(BitsOf<T> bits) {
  return std::bit_cast<T>(bits);
}

template <class T>
[[nodiscard]] constexpr T canonical_nan() {
  return from_bits<T>(Format<T>::canonical_nan);
}

template <Floating T>
[[nodiscard]] constexpr bool is_nan(T value) {
  return static_cast<BitsOf<T>>(to_bits(value) & ~Format<T>::sign) > Format<T>::infinity;
}
template <Floating T>
[[nodiscard]] constexpr bool is_negative(T value) {
  return (to_bits(value) & Format<T>::sign) != 0;
}
template <Floating T>
[[nodiscard]] constexpr T absolute(T value) {
  return from_bits<T>(static_cast<BitsOf<T>>(to_bits(value) & ~Format<T>::sign));
}
template <Floating T>
[[nodiscard]] constexpr T negated(T value) {
  return from_bits<T>(static_cast<BitsOf<T>>(to_bits(value) ^ Format<T>::sign));
}

/// `.ftz`: a subnormal becomes the zero of its sign.
template <Floating T>
[[nodiscard]] constexpr T flush(T value) {
  using F = Format<T>;
  const BitsOf<T> bits = to_bits(value);
  const auto zero = static_cast<BitsOf<T>>(bits & F::sign);
  return from_bits<T>((bits & F::infinity) == 0 ? zero : bits);
}
template <bool ftz, Floating T>
[[nodiscard]] constexpr T flush_if(T value) {
  if constexpr (ftz) return flush(value);
  return value;
}

/// `.sat`: clamps to [0, 1]; NaN and negative values become +0 (PTX ISA 9.7.3).
template <Floating T>
[[nodiscard]] constexpr T saturate(T value) {
  using F = Format<T>;
  const BitsOf<T> bits = to_bits(value);
  const BitsOf<T> above = bits > F::one ? F::one : bits;
  // The sign bit is set, or `value` is a NaN.
  return from_bits<T>(bits > F::infinity ? BitsOf<T>{0} : above);
}

/// `.relu`: a negative value becomes +0, NaN becomes canonical.
template <class T>
[[nodiscard]] constexpr T relu(T value) {
  using F = Format<T>;
  const BitsOf<T> bits = to_bits(value);
  const bool nan = static_cast<BitsOf<T>>(bits & ~F::sign) >> F::padding > F::infinity;
  const BitsOf<T> clamped = (bits & F::sign) != 0 ? BitsOf<T>{0} : bits;
  return nan ? canonical_nan<T>() : from_bits<T>(clamped);
}

/// The exact value, as f32 or f64. NaN stays NaN.
[[nodiscard]] constexpr float widen(float value) { return value; }
[[nodiscard]] constexpr double widen(double value) { return value; }
[[nodiscard]] constexpr float widen(bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
[[nodiscard]] constexpr float widen(tf32 value) { return std::bit_cast<float>(value.bits); }
[[nodiscard]] constexpr float widen(f16 value) {
  // The fraction and exponent read as f32 are too small by 2^(127 - 15). The multiplication is
  // exact, also for subnormals.
  const std::uint32_t magnitude = (value.bits & 0x7fffU) << 13;
  const std::uint32_t scaled =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const std::uint32_t finite_or_not = magnitude >= 0x7c00U << 13 ? magnitude | 0x7f800000U : scaled;
  return std::bit_cast<float>(finite_or_not | (value.bits & 0x8000U) << 16);
}
[[nodiscard]] constexpr float widen(e5m2 value) {
  return widen(f16{static_cast<std::uint16_t>(value.bits << 8)});
}
[[nodiscard]] constexpr float widen(e4m3 value) {
  const std::uint32_t magnitude = (value.bits & 0x7fU) << 20;
  const std::uint32_t scaled =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p120F);
  const std::uint32_t number_or_not = magnitude == 0x7fU << 20 ? 0x7fffffffU : scaled;
  return std::bit_cast<float>(number_or_not | (value.bits & 0x80U) << 24);
}

/// Rounds to a format narrower than f64. NaN becomes the canonical NaN. `satfinite`: values that
/// are too large, including infinity, become the largest finite number of their sign.
template <class T, Rounding R, bool satfinite = false>
[[nodiscard]] constexpr T narrow(double value) {
  using F = Format<T>;
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
  constexpr std::uint64_t double_infinity = std::uint64_t{0x7ff} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t negative = bits >> 63;
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);

  // The biased exponent in T. If it is below 1, the significand loses bits instead. Subnormal
  // doubles are far below the smallest value of every T, so that any nonzero significand represents
  // them.
  const auto exponent = static_cast<std::int64_t>(magnitude >> 52) - 1023 + F::bias;
  const std::uint64_t significand = magnitude == 0 ? 0 : (magnitude & (hidden - 1)) | hidden;
  const std::int64_t wanted_shift = 52 - F::fraction_bits + (exponent < 1 ? 1 - exponent : 0);
  const auto shift = static_cast<std::uint64_t>(wanted_shift > 63 ? 63 : wanted_shift);
  const std::uint64_t kept = significand >> shift;
  const std::uint64_t lost = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);

  std::uint64_t up = 0;  // rz does not round up
  if constexpr (R == Rounding::rn) up = lost + (kept & 1) > half ? 1 : 0;
  if constexpr (R == Rounding::rna) up = lost >= half ? 1 : 0;
  if constexpr (R == Rounding::rm) up = lost != 0 ? negative : 0;
  if constexpr (R == Rounding::rp) up = lost != 0 ? 1 - negative : 0;
  const auto field = static_cast<std::uint64_t>(exponent < 1 ? 0 : exponent - 1);
  const std::uint64_t rounded = (field << F::fraction_bits) + kept + up;

  constexpr std::uint64_t infinity = satfinite ? F::max_finite : F::infinity;
  constexpr std::uint64_t max_finite = F::max_finite;
  std::uint64_t too_large = infinity;
  if constexpr (R == Rounding::rz) too_large = max_finite;
  if constexpr (R == Rounding::rm) too_large = negative != 0 ? infinity : max_finite;
  if constexpr (R == Rounding::rp) too_large = negative != 0 ? max_finite : infinity;
  std::uint64_t result = rounded > max_finite ? too_large : rounded;
  result = magnitude == double_infinity ? infinity : result;
  result = (result << F::padding) | negative << (F::exponent_bits + F::fraction_bits + F::padding);
  constexpr std::uint64_t nan = F::canonical_nan;
  return from_bits<T>(static_cast<BitsOf<T>>(magnitude > double_infinity ? nan : result));
}

}  // namespace warpcheck::semantics
