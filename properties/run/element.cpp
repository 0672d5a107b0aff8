#include "properties/run/element.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/avx2.hpp"
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
constexpr std::uint64_t kDoubleSign = std::uint64_t{1} << 63;

/// Returns 2^exponent, a normal number.
constexpr double two_to_the(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kDoubleBias)
                               << kDoubleFractionBits);
}

/// Returns the bits of a value of the format. Without branches, so that the compiler can vectorise
/// loops.
std::uint32_t to_bits(double value, const Format& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t infinity = ((1U << format.exponent_bits) - 1) << format.fraction_bits;
  const std::uint32_t ones = (1U << format.fraction_bits) - 1;
  const auto all = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t bits = all & ~kDoubleSign;
  const auto sign = static_cast<std::uint32_t>(all >> 63)
                    << (format.exponent_bits + format.fraction_bits);
  const auto normal = static_cast<std::uint32_t>(
      (bits >> (kDoubleFractionBits - format.fraction_bits)) -
      (static_cast<std::uint64_t>(kDoubleBias - bias) << format.fraction_bits));
  // In units of the last place, if the value is below the normal numbers.
  const double magnitude = std::bit_cast<double>(bits);
  const bool is_subnormal = magnitude < two_to_the(1 - bias);
  const double units =
      (is_subnormal ? magnitude : 0.0) * two_to_the(format.fraction_bits - (1 - bias));
  const std::uint32_t finite =
      is_subnormal ? static_cast<std::uint32_t>(static_cast<std::int32_t>(units)) : normal;
  const std::uint32_t special = value == value ? infinity : infinity | ones;
  return sign | (magnitude <= std::numeric_limits<double>::max() ? finite : special);
}

/// The inverse. Every NaN becomes the same one, of the same sign.
double from_bits(std::uint32_t bits, const Format& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t ones = (1U << format.fraction_bits) - 1;
  const std::uint32_t infinity = ((1U << format.exponent_bits) - 1) << format.fraction_bits;
  const std::uint32_t without_sign =
      bits & ((1U << (format.exponent_bits + format.fraction_bits)) - 1);
  const auto sign =
      static_cast<std::uint64_t>(bits >> (format.exponent_bits + format.fraction_bits)) << 63;
  const double normal = std::bit_cast<double>(
      (std::uint64_t{without_sign} << (kDoubleFractionBits - format.fraction_bits)) +
      (static_cast<std::uint64_t>(kDoubleBias - bias) << kDoubleFractionBits));
  const double subnormal = static_cast<double>(static_cast<std::int32_t>(without_sign & ones)) *
                           two_to_the(1 - bias - format.fraction_bits);
  const double finite = without_sign <= ones ? subnormal : normal;
  const std::uint32_t least_nan = format.infinities ? infinity + 1 : infinity | ones;
  const double above = without_sign < least_nan ? finite : std::numeric_limits<double>::quiet_NaN();
  const double magnitude = format.infinities && without_sign == infinity
                               ? std::numeric_limits<double>::infinity()
                               : above;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
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

/// Calls f(convert), where convert(value) is the element in memory of a value of the type.
template <class F>
void with_writer(ScalarType type, const F& f) {
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  switch (type) {
    case ScalarType::f16:
      return f([](double value) { return static_cast<u16>(to_bits(value, kF16)); });
    case ScalarType::bf16:
      return f([](double value) { return static_cast<u16>(to_bits(value, kBf16)); });
    case ScalarType::tf32:
      return f([](double value) { return to_bits(value, kTf32) << 13; });
    case ScalarType::f32:
      return f([](double value) { return static_cast<float>(value); });
    case ScalarType::f64:
      return f([](double value) { return value; });
    case ScalarType::s8:
      return f([](double value) { return static_cast<std::int8_t>(value); });
    case ScalarType::u8:
      return f([](double value) { return static_cast<u8>(value); });
    case ScalarType::s32:
      return f([](double value) { return static_cast<std::int32_t>(value); });
    case ScalarType::e4m3:
      return f([](double value) { return static_cast<u8>(to_bits(value, kE4m3)); });
    case ScalarType::e5m2:
      return f([](double value) { return static_cast<u8>(to_bits(value, kE5m2)); });
  }
}

/// Calls f(T(), convert), where convert(T) is the value of an element in memory.
template <class F>
void with_reader(ScalarType type, const F& f) {
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  const auto to_double = [](auto element) { return static_cast<double>(element); };
  switch (type) {
    case ScalarType::f16:
      return f(u16(), [](u16 element) { return from_bits(element, kF16); });
    case ScalarType::bf16:
      return f(u16(), [](u16 element) { return from_bits(element, kBf16); });
    case ScalarType::tf32:
    case ScalarType::f32:
      return f(float(), to_double);
    case ScalarType::f64:
      return f(double(), to_double);
    case ScalarType::s8:
      return f(std::int8_t(), to_double);
    case ScalarType::u8:
      return f(u8(), to_double);
    case ScalarType::s32:
      return f(std::int32_t(), to_double);
    case ScalarType::e4m3:
      return f(u8(), [](u8 element) { return from_bits(element, kE4m3); });
    case ScalarType::e5m2:
      return f(u8(), [](u8 element) { return from_bits(element, kE5m2); });
  }
}

/// Calls move(i, address) for each of `count` elements, `distance` bytes apart. Elements without
/// gaps have a loop of their own, which the compiler can vectorise.
template <std::size_t size, class F>
void for_each_element(std::size_t count, std::size_t distance, const F& move) {
  if (distance == size) {
    for (std::size_t i = 0; i < count; ++i) move(i, i * size);
  } else {
    for (std::size_t i = 0; i < count; ++i) move(i, i * distance);
  }
}

/// Values of the type.
void write_all(std::span<const double> values, ScalarType type, std::byte* to,
               std::size_t distance) {
  with_writer(type, [&](const auto& convert) {
    using T = decltype(convert(0.0));
    for_each_element<sizeof(T)>(values.size(), distance, [&](std::size_t i, std::size_t offset) {
      store(convert(values[i]), to + offset);
    });
  });
}

void read_all(ScalarType type, const std::byte* from, std::size_t distance,
              std::span<double> values) {
  with_reader(type, [&]<typename T>(T, const auto& convert) {
    for_each_element<sizeof(T)>(values.size(), distance, [&](std::size_t i, std::size_t offset) {
      values[i] = convert(load<T>(from + offset));
    });
  });
}

WARPCHECK_FOR_AVX2 void write_all_with_avx2(std::span<const double> values, ScalarType type,
                                            std::byte* to, std::size_t distance) {
  write_all(values, type, to, distance);
}

WARPCHECK_FOR_AVX2 void read_all_with_avx2(ScalarType type, const std::byte* from,
                                           std::size_t distance, std::span<double> values) {
  read_all(type, from, distance, values);
}

}  // namespace

void encode(double exact, ScalarType type, std::byte* to) {
  encode(std::span(&exact, 1), type, to, 0);
}

void encode(std::span<const double> exact, ScalarType type, std::byte* to, std::size_t distance) {
  constexpr std::size_t kAtOnce = 256;
  std::array<double, kAtOnce> part;
  while (!exact.empty()) {
    const std::span values = std::span(part).first(std::min(kAtOnce, exact.size()));
    std::ranges::copy(exact.first(values.size()), values.begin());
    reference::round_to(type, values);
    cpu_has_avx2() ? write_all_with_avx2(values, type, to, distance)
                   : write_all(values, type, to, distance);
    to += values.size() * distance;
    exact = exact.subspan(values.size());
  }
}

double decode(ScalarType type, const std::byte* from) {
  double value = 0.0;
  decode(type, from, 0, std::span(&value, 1));
  return value;
}

void decode(ScalarType type, const std::byte* from, std::size_t distance,
            std::span<double> values) {
  cpu_has_avx2() ? read_all_with_avx2(type, from, distance, values)
                 : read_all(type, from, distance, values);
}

}  // namespace warpcheck::properties::run
