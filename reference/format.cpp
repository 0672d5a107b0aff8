#include "reference/format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/vectorized.hpp"

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
    Format{53, 0, 0x1p53, true},                       // s64, as far as f64 is exact
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
    const double clamped = std::min(std::max(value, smallest_), largest_);
    return value == value ? std::copysign(rounded(clamped), clamped) : 0.0;
  }

 private:
  double largest_;
  double smallest_;
};

/// To formats of at most 24 significant bits. Without branches, so that the compiler can vectorise
/// loops.
class ToFloat {
 public:
  explicit ToFloat(ScalarType type)
      : smallest_(std::ldexp(1.0, format(type).smallest_exponent)),
        largest_(format(type).largest),
        beyond_(std::ldexp(1.0, std::ilogb(largest_) + 1)),
        shift_(std::ldexp(1.5, 53 - format(type).precision)),
        has_infinity_(type != ScalarType::e4m3) {}

  double operator()(double value) const {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    constexpr std::uint64_t kExponent = std::uint64_t{0x7ff} << 52;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & ~kSign;
    const double magnitude = std::bit_cast<double>(bits);
    const double power_of_two = std::bit_cast<double>(bits & kExponent);
    // The sum with the shifter has the distance of adjacent values as the weight of its last bit.
    const double shifter = std::min(std::max(power_of_two, smallest_), beyond_) * shift_;
    const double result = magnitude + shifter - shifter;
    const double overflowed = has_infinity_ ? std::copysign(kInfinity, value) : kNotANumber;
    const double special = value == value ? overflowed : value;
    return result <= largest_ ? std::copysign(result, value) : special;
  }

 private:
  double smallest_;  // normal number
  double largest_;
  double beyond_;  // the power of two after it
  double shift_;
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

namespace {

void round_all(ScalarType type, std::span<double> values) {
  with_rounding(type, [&](const auto& rounding) {
    for (double& value : values) value = rounding(value);
  });
}

}  // namespace

void round_to(ScalarType type, std::span<double> values) {
  vectorized([&] { round_all(type, values); });
}

}  // namespace warpcheck::reference
