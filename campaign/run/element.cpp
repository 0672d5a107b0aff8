#include "campaign/run/element.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/vectorized.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::run {
namespace {

/// A binary format of at most 32 bits: sign, exponent, fraction.
struct Format {
  int exponent_bits;
  int fraction_bits;
  bool infinities;  // e4m3 uses that exponent for finite values, except for the last fraction
};

constexpr Format kF16{5, 10, true};
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

/// Returns the bits of a value of the format. Has no branches, so that the compiler can vectorise
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
  // A value below the normal numbers is in units of the last place.
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
    case ScalarType::bf16:  // the upper half of a float
      return f([](double value) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
        return static_cast<u16>(value == value ? bits : (bits & 0x8000U) | 0x7fffU);
      });
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
    case ScalarType::s64:
      return f([](double value) { return static_cast<std::int64_t>(value); });
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
      return f(u16(), [](u16 element) {
        const double value = std::bit_cast<float>(std::uint32_t{element} << 16);
        const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), value);
        return value == value ? value : nan;
      });
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
    case ScalarType::s64:
      return f(std::int64_t(), to_double);
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

#if defined(__x86_64__)

#define WARPCHECK_FOR_F16C [[gnu::target("avx2,f16c")]]

bool cpu_has_f16c() {
  static const bool has = cpu_has_avx2() && __builtin_cpu_supports("f16c") != 0;
  return has;
}

WARPCHECK_FOR_F16C bool has_nan(__m256 values) {
  return _mm256_movemask_ps(_mm256_cmp_ps(values, values, _CMP_UNORD_Q)) != 0;
}

/// Writes numbers of f16 without gaps, eight at a time, until one is NaN. Returns how many.
WARPCHECK_FOR_F16C std::size_t write_f16(std::span<const double> values, std::byte* to) {
  std::size_t i = 0;
  for (; i + 8 <= values.size(); i += 8) {
    const __m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(values.data() + i));
    const __m128 high = _mm256_cvtpd_ps(_mm256_loadu_pd(values.data() + i + 4));
    const __m256 all = _mm256_set_m128(high, low);
    if (has_nan(all)) break;
    const __m128i halves = _mm256_cvtps_ph(all, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    std::memcpy(to + i * sizeof(std::uint16_t), &halves, sizeof halves);
  }
  return i;
}

/// Reads numbers of f16 without gaps, eight at a time, until one is NaN. Returns how many.
WARPCHECK_FOR_F16C std::size_t read_f16(const std::byte* from, std::span<double> values) {
  std::size_t i = 0;
  for (; i + 8 <= values.size(); i += 8) {
    __m128i halves;
    std::memcpy(&halves, from + i * sizeof(std::uint16_t), sizeof halves);
    const __m256 all = _mm256_cvtph_ps(halves);
    if (has_nan(all)) break;
    _mm256_storeu_pd(values.data() + i, _mm256_cvtps_pd(_mm256_castps256_ps128(all)));
    _mm256_storeu_pd(values.data() + i + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(all, 1)));
  }
  return i;
}

#else

bool cpu_has_f16c() { return false; }
std::size_t write_f16(std::span<const double>, std::byte*) { return 0; }
std::size_t read_f16(const std::byte*, std::span<double>) { return 0; }

#endif

bool is_f16_without_gaps(ScalarType type, std::size_t distance) {
  return type == ScalarType::f16 && distance == sizeof(std::uint16_t) && cpu_has_f16c();
}

void write(std::span<const double> values, ScalarType type, std::byte* to, std::size_t distance) {
  const std::size_t written = is_f16_without_gaps(type, distance) ? write_f16(values, to) : 0;
  vectorized([&] { write_all(values.subspan(written), type, to + written * distance, distance); });
}

}  // namespace

void encode(double exact, ScalarType type, std::byte* to) {
  encode(std::span(&exact, 1), type, to, 0);
}

void encode(std::span<const double> exact, ScalarType type, std::byte* to, std::size_t distance) {
  // The conversion to float rounds.
  if (type == ScalarType::f32 || type == ScalarType::f64) return write(exact, type, to, distance);
  constexpr std::size_t kAtOnce = 256;
  std::array<double, kAtOnce> part;
  while (!exact.empty()) {
    const std::span values = std::span(part).first(std::min(kAtOnce, exact.size()));
    std::ranges::copy(exact.first(values.size()), values.begin());
    reference::round_to(type, values);
    write(values, type, to, distance);
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
  const std::size_t read = is_f16_without_gaps(type, distance) ? read_f16(from, values) : 0;
  vectorized([&] { read_all(type, from + read * distance, distance, values.subspan(read)); });
}

}  // namespace warpcheck::campaign::run
