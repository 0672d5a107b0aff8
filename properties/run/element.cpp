#include "properties/run/element.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

constexpr int kDoubleBias = 1023;
constexpr int kDoubleFractionBits = 52;

/// Returns 2^exponent, a normal number.
constexpr double two_to_the(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kDoubleBias)
                               << kDoubleFractionBits);
}

/// Returns the bits of a value of the format.
std::uint32_t to_bits(double value, const Format& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t infinity = ((1U << format.exponent_bits) - 1) << format.fraction_bits;
  const std::uint32_t sign =
      std::signbit(value) ? 1U << (format.exponent_bits + format.fraction_bits) : 0U;
  if (std::isnan(value)) return sign | infinity | ((1U << format.fraction_bits) - 1);
  if (std::isinf(value)) return sign | infinity;
  const auto bits = std::bit_cast<std::uint64_t>(std::fabs(value));
  const int exponent = static_cast<int>(bits >> kDoubleFractionBits) - kDoubleBias;
  if (exponent < 1 - bias) {  // in units of the last place
    return sign | static_cast<std::uint32_t>(std::fabs(value) *
                                             two_to_the(format.fraction_bits - (1 - bias)));
  }
  const std::uint64_t from_exponent = bits >> (kDoubleFractionBits - format.fraction_bits);
  return sign |
         static_cast<std::uint32_t>(from_exponent - (static_cast<std::uint64_t>(kDoubleBias - bias)
                                                     << format.fraction_bits));
}

double from_bits(std::uint32_t bits, const Format& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t ones = (1U << format.exponent_bits) - 1;
  const std::uint32_t fraction = bits & ((1U << format.fraction_bits) - 1);
  const std::uint32_t exponent = (bits >> format.fraction_bits) & ones;
  const bool negative = ((bits >> (format.exponent_bits + format.fraction_bits)) & 1U) != 0;
  double magnitude = 0.0;
  if (format.infinities && exponent == ones) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (!format.infinities && exponent == ones &&
             fraction == (1U << format.fraction_bits) - 1) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else {
    const std::uint32_t hidden = exponent == 0 ? 0U : 1U << format.fraction_bits;
    magnitude = static_cast<double>(hidden | fraction) *
                two_to_the(static_cast<int>(std::max(exponent, 1U)) - bias - format.fraction_bits);
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

/// Calls f(write), where write(value, to) stores a value of the type.
template <class F>
void with_writer(ScalarType type, const F& f) {
  const auto as = [&](auto convert) {
    f([convert](double value, std::byte* to) { store(convert(value), to); });
  };
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  switch (type) {
    case ScalarType::f16:
      return as([](double value) { return static_cast<u16>(to_bits(value, kF16)); });
    case ScalarType::bf16:
      return as([](double value) { return static_cast<u16>(to_bits(value, kBf16)); });
    case ScalarType::tf32:
      return as([](double value) { return to_bits(value, kTf32) << 13; });
    case ScalarType::f32:
      return as([](double value) { return static_cast<float>(value); });
    case ScalarType::f64:
      return as([](double value) { return value; });
    case ScalarType::s8:
      return as([](double value) { return static_cast<std::int8_t>(value); });
    case ScalarType::u8:
      return as([](double value) { return static_cast<u8>(value); });
    case ScalarType::s32:
      return as([](double value) { return static_cast<std::int32_t>(value); });
    case ScalarType::e4m3:
      return as([](double value) { return static_cast<u8>(to_bits(value, kE4m3)); });
    case ScalarType::e5m2:
      return as([](double value) { return static_cast<u8>(to_bits(value, kE5m2)); });
  }
}

/// Calls f(read), where read(from) is a value of the type.
template <class F>
void with_reader(ScalarType type, const F& f) {
  using std::uint16_t;
  using std::uint8_t;
  switch (type) {
    case ScalarType::f16:
      return f([](const std::byte* from) { return from_bits(load<uint16_t>(from), kF16); });
    case ScalarType::bf16:
      return f([](const std::byte* from) { return from_bits(load<uint16_t>(from), kBf16); });
    case ScalarType::tf32:
    case ScalarType::f32:
      return f([](const std::byte* from) { return static_cast<double>(load<float>(from)); });
    case ScalarType::f64:
      return f([](const std::byte* from) { return load<double>(from); });
    case ScalarType::s8:
      return f([](const std::byte* from) { return double{load<std::int8_t>(from)}; });
    case ScalarType::u8:
      return f([](const std::byte* from) { return double{load<uint8_t>(from)}; });
    case ScalarType::s32:
      return f([](const std::byte* from) { return double{load<std::int32_t>(from)}; });
    case ScalarType::e4m3:
      return f([](const std::byte* from) { return from_bits(load<uint8_t>(from), kE4m3); });
    case ScalarType::e5m2:
      return f([](const std::byte* from) { return from_bits(load<uint8_t>(from), kE5m2); });
  }
}

}  // namespace

void encode(double exact, ScalarType type, std::byte* to) {
  encode(std::span(&exact, 1), type, to, 0);
}

void encode(std::span<const double> exact, ScalarType type, std::byte* to, std::size_t distance) {
  constexpr std::size_t kAtOnce = 256;
  std::array<double, kAtOnce> part;
  with_writer(type, [&](const auto& write) {
    for (; !exact.empty(); exact = exact.subspan(std::min(kAtOnce, exact.size()))) {
      const std::span values = std::span(part).first(std::min(kAtOnce, exact.size()));
      std::ranges::copy(exact.first(values.size()), values.begin());
      reference::round_to(type, values);
      for (const double value : values) {
        write(value, to);
        to += distance;
      }
    }
  });
}

double decode(ScalarType type, const std::byte* from) {
  double value = 0.0;
  decode(type, from, 0, std::span(&value, 1));
  return value;
}

void decode(ScalarType type, const std::byte* from, std::size_t distance,
            std::span<double> values) {
  with_reader(type, [&](const auto& read) {
    for (double& value : values) {
      value = read(from);
      from += distance;
    }
  });
}

}  // namespace warpcheck::properties::run
