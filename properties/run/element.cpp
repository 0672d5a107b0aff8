#include "properties/run/element.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "reference/format.hpp"

namespace warpcheck::properties::run {
namespace {

/// A binary format of at most 32 bits: sign, exponent, fraction.
struct Format {
  int exponent_bits;
  int fraction_bits;
  bool infinities;  // e4m3 uses that exponent for finite values, except for the last fraction
};

constexpr Format kF16{5, 10, true};
constexpr Format kBf16{8, 7, true};
constexpr Format kTf32{8, 10, true};
constexpr Format kE4m3{4, 3, false};
constexpr Format kE5m2{5, 2, true};

/// Returns the bits of a value of the format.
std::uint32_t to_bits(double value, const Format& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t infinity = ((1U << format.exponent_bits) - 1) << format.fraction_bits;
  const std::uint32_t sign =
      std::signbit(value) ? 1U << (format.exponent_bits + format.fraction_bits) : 0U;
  if (std::isnan(value)) return sign | infinity | ((1U << format.fraction_bits) - 1);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0.0) return sign;
  // In units of the last place. The hidden bit, if there is one, increments the exponent by one.
  const double magnitude = std::fabs(value);
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  const auto units =
      static_cast<std::uint32_t>(std::ldexp(magnitude, format.fraction_bits - exponent));
  return sign | ((static_cast<std::uint32_t>(exponent + bias - 1) << format.fraction_bits) + units);
}

double from_bits(std::uint32_t bits, const Format& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t ones = (1U << format.exponent_bits) - 1;
  const std::uint32_t fraction = bits & ((1U << format.fraction_bits) - 1);
  const std::uint32_t exponent = (bits >> format.fraction_bits) & ones;
  const bool negative = ((bits >> (format.exponent_bits + format.fraction_bits)) & 1U) != 0;
  double magnitude;
  if (format.infinities && exponent == ones) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (!format.infinities && exponent == ones &&
             fraction == (1U << format.fraction_bits) - 1) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else {
    const std::uint32_t hidden = exponent == 0 ? 0U : 1U << format.fraction_bits;
    magnitude = std::ldexp(static_cast<double>(hidden | fraction),
                           static_cast<int>(std::max(exponent, 1U)) - bias - format.fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

template <typename T>
void store(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

void encode(double exact, ScalarType type, std::byte* to) {
  const double value = reference::round_to(type, exact);
  switch (type) {
    case ScalarType::f16:
      return store(static_cast<std::uint16_t>(to_bits(value, kF16)), to);
    case ScalarType::bf16:
      return store(static_cast<std::uint16_t>(to_bits(value, kBf16)), to);
    case ScalarType::tf32:
      return store(to_bits(value, kTf32) << 13, to);
    case ScalarType::f32:
      return store(static_cast<float>(value), to);
    case ScalarType::f64:
      return store(value, to);
    case ScalarType::s8:
      return store(static_cast<std::int8_t>(value), to);
    case ScalarType::u8:
      return store(static_cast<std::uint8_t>(value), to);
    case ScalarType::s32:
      return store(static_cast<std::int32_t>(value), to);
    case ScalarType::e4m3:
      return store(static_cast<std::uint8_t>(to_bits(value, kE4m3)), to);
    case ScalarType::e5m2:
      return store(static_cast<std::uint8_t>(to_bits(value, kE5m2)), to);
  }
}

double decode(ScalarType type, const std::byte* from) {
  switch (type) {
    case ScalarType::f16:
      return from_bits(load<std::uint16_t>(from), kF16);
    case ScalarType::bf16:
      return from_bits(load<std::uint16_t>(from), kBf16);
    case ScalarType::tf32:
    case ScalarType::f32:
      return static_cast<double>(load<float>(from));
    case ScalarType::f64:
      return load<double>(from);
    case ScalarType::s8:
      return load<std::int8_t>(from);
    case ScalarType::u8:
      return load<std::uint8_t>(from);
    case ScalarType::s32:
      return load<std::int32_t>(from);
    case ScalarType::e4m3:
      return from_bits(load<std::uint8_t>(from), kE4m3);
    case ScalarType::e5m2:
      return from_bits(load<std::uint8_t>(from), kE5m2);
  }
  return 0.0;
}

}  // namespace warpcheck::properties::run
