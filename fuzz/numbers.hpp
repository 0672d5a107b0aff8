// Number formats of PTX for the oracles: bits to exact values and back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace warpcheck::fuzz {

__extension__ using Int = __int128;
__extension__ using Natural = unsigned __int128;

struct IntegerFormat {
  unsigned bits = 32;
  bool is_signed = false;

  [[nodiscard]] Int least() const { return is_signed ? -(Int{1} << (bits - 1)) : Int{0}; }
  [[nodiscard]] Int most() const { return (Int{1} << (is_signed ? bits - 1 : bits)) - 1; }
  [[nodiscard]] Int clamped(Int value) const {
    return value < least() ? least() : value > most() ? most() : value;
  }
  [[nodiscard]] Int read(std::uint64_t stored) const {
    const Natural low = stored & ((Natural{1} << bits) - 1);
    const bool negative = is_signed && (low >> (bits - 1)) != 0;
    return static_cast<Int>(low) - (negative ? Int{1} << bits : Int{0});
  }
  /// Wraps the value; eight bits become the 32-bit register that holds them.
  [[nodiscard]] std::uint64_t write(Int value) const {
    const Int wrapped = read(static_cast<std::uint64_t>(value));
    const unsigned width = bits == 8 ? 32 : bits;
    return static_cast<std::uint64_t>(static_cast<Natural>(wrapped) & ((Natural{1} << width) - 1));
  }
};

/// Returns the format of "u16", "s32", "b64"; empty for other names.
[[nodiscard]] inline std::optional<IntegerFormat> integer_format(const std::string& type) {
  if (type.size() < 2 || (type[0] != 'u' && type[0] != 's' && type[0] != 'b')) return std::nullopt;
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    if (type.substr(1) == std::to_string(bits)) return IntegerFormat{bits, type[0] == 's'};
  }
  return std::nullopt;
}

struct FloatFormat {
  int exponent_bits = 8;
  int fraction_bits = 23;

  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] unsigned bits() const {
    return 1U + static_cast<unsigned>(exponent_bits + fraction_bits);
  }
  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (bits() - 1); }

  [[nodiscard]] double read(std::uint64_t stored) const {
    const std::uint64_t fraction = stored & ((std::uint64_t{1} << fraction_bits) - 1);
    const int top = (1 << exponent_bits) - 1;
    const int exponent = static_cast<int>(stored >> fraction_bits) & top;
    const double sign = (stored & this->sign()) != 0 ? -1.0 : 1.0;
    if (exponent == top) {
      return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                           : sign * std::numeric_limits<double>::infinity();
    }
    const auto digits = static_cast<double>(fraction);
    const double hidden = std::ldexp(1.0, fraction_bits);
    if (exponent == 0) return sign * std::ldexp(digits, 1 - bias() - fraction_bits);
    return sign * std::ldexp(digits + hidden, exponent - bias() - fraction_bits);
  }
  /// Returns the bits of a value of this format that is not NaN.
  [[nodiscard]] std::uint64_t write(double value) const {
    const std::uint64_t negative = std::signbit(value) ? sign() : 0;
    const double magnitude = std::fabs(value);
    if (magnitude == 0) return negative;
    if (std::isinf(magnitude)) {
      return negative | ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
    }
    const int exponent = std::max(std::ilogb(magnitude), 1 - bias());
    // The hidden bit increments the exponent by one.
    const auto digits = static_cast<std::uint64_t>(std::ldexp(magnitude, fraction_bits - exponent));
    return negative |
           ((static_cast<std::uint64_t>(exponent + bias() - 1) << fraction_bits) + digits);
  }
  /// Replaces a subnormal number by the zero of its sign.
  [[nodiscard]] double flushed(double value) const {
    return std::fabs(value) < std::ldexp(1.0, 1 - bias()) ? std::copysign(0.0, value) : value;
  }
};

[[nodiscard]] inline std::optional<FloatFormat> float_format(const std::string& type) {
  if (type == "f64") return FloatFormat{11, 52};
  if (type == "f32") return FloatFormat{8, 23};
  if (type == "f16") return FloatFormat{5, 10};
  if (type == "bf16") return FloatFormat{8, 7};
  return std::nullopt;
}

}  // namespace warpcheck::fuzz
