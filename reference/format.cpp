#include "reference/format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace warpcheck::reference {
namespace {

// In the order of ScalarType.
constexpr std::array kFormats = {
    Format{11, -14, 65504.0, false},                   // f16
    Format{8, -126, 0x1.FEp127, false},                // bf16
    Format{11, -126, 0x1.FFCp127, false},              // tf32
    Format{24, -126, 0x1.FFFFFEp127, false},           // f32
    Format{53, -1022, 0x1.FFFFFFFFFFFFFp1023, false},  // f64
    Format{7, 0, 127.0, true},                         // s8
    Format{8, 0, 255.0, true},                         // u8
    Format{31, 0, 2147483647.0, true},                 // s32
    Format{4, -6, 448.0, false},                       // e4m3
    Format{3, -14, 57344.0, false},                    // e5m2
};
static_assert(kFormats.size() == static_cast<std::size_t>(ScalarType::e5m2) + 1);

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// Rounds to the nearest multiple of 1, ties to even, if |value| < 2^51: the last bit of the sum
/// has the weight 1.
double rounded(double value) {
  constexpr double kWeightOne = 0x1.8p52;
  return value + kWeightOne - kWeightOne;
}

class ToInteger {
 public:
  explicit ToInteger(ScalarType type)
      : largest_(format(type).largest), smallest_(type == ScalarType::u8 ? 0.0 : -largest_ - 1.0) {}
  double operator()(double value) const {
    if (std::isnan(value)) return 0.0;
    const double clamped = std::clamp(value, smallest_, largest_);
    return std::copysign(rounded(clamped), clamped);
  }

 private:
  double largest_;
  double smallest_;
};

/// To formats of at most 24 significant bits.
class ToFloat {
 public:
  explicit ToFloat(ScalarType type)
      : precision_(format(type).precision),
        smallest_exponent_(format(type).smallest_exponent),
        largest_(format(type).largest),
        largest_exponent_(std::ilogb(largest_)),
        has_infinity_(type != ScalarType::e4m3) {}

  double operator()(double value) const {
    constexpr unsigned kFractionBits = 52;
    constexpr int kBias = 1023;
    const double magnitude = std::abs(value);
    if (!std::isfinite(value)) return std::isnan(value) ? value : overflowed(value);
    const auto exponent =
        static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> kFractionBits) - kBias;
    if (exponent > largest_exponent_) return overflowed(value);
    // The sum with this power of two has the distance of adjacent values as the weight of its last
    // bit.
    const int weight = std::max(exponent, smallest_exponent_) - precision_ + 1;
    const auto biased =
        static_cast<std::uint64_t>(weight + static_cast<int>(kFractionBits) + kBias);
    const double shifter = 1.5 * std::bit_cast<double>(biased << kFractionBits);
    const double result = magnitude + shifter - shifter;
    return result > largest_ ? overflowed(value) : std::copysign(result, value);
  }

 private:
  [[nodiscard]] double overflowed(double value) const {
    return has_infinity_ ? std::copysign(kInfinity, value) : kNotANumber;
  }

  int precision_;
  int smallest_exponent_;
  double largest_;
  int largest_exponent_;
  bool has_infinity_;
};

/// Calls f(rounding), where rounding(value) rounds to the type.
template <class F>
auto with_rounding(ScalarType type, const F& f) {
  if (type == ScalarType::f64) return f([](double value) { return value; });
  if (type == ScalarType::f32) {
    return f([](double value) { return static_cast<double>(static_cast<float>(value)); });
  }
  return format(type).integer ? f(ToInteger(type)) : f(ToFloat(type));
}

}  // namespace

const Format& format(ScalarType type) { return kFormats[static_cast<std::size_t>(type)]; }

double Format::smallest_step() const {
  return integer ? 1.0 : std::ldexp(1.0, smallest_exponent - precision + 1);
}

double Format::overflow_threshold() const {
  // Half a step beyond the largest value; a tie rounds to the even neighbour, which is infinity.
  // For f64 the threshold itself rounds to infinity.
  if (integer) return largest + 0.5;
  return largest + std::ldexp(1.0, std::ilogb(largest) - precision);
}

double Format::exact_integers() const { return std::min(largest, std::ldexp(1.0, precision)); }

double round_to(ScalarType type, double value) {
  return with_rounding(type, [&](const auto& rounding) { return rounding(value); });
}

void round_to(ScalarType type, std::span<double> values) {
  with_rounding(type, [&](const auto& rounding) {
    for (double& value : values) value = rounding(value);
  });
}

}  // namespace warpcheck::reference
