#include "reference/format.hpp"

#include <algorithm>
#include <array>
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

double round_to_integer(ScalarType type, double value) {
  const double largest = format(type).largest;
  const double smallest = type == ScalarType::u8 ? 0.0 : -largest - 1.0;
  return std::isnan(value) ? 0.0 : std::clamp(std::nearbyint(value), smallest, largest);
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
  const Format& to = format(type);
  if (to.integer) return round_to_integer(type, value);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(value) && type == ScalarType::e4m3) return kNan;
  if (type == ScalarType::f64 || !std::isfinite(value) || value == 0.0) return value;
  if (type == ScalarType::f32) return static_cast<float>(value);
  const int exponent = std::max(std::ilogb(value), to.smallest_exponent);
  const double step = std::ldexp(1.0, exponent - to.precision + 1);
  const double rounded = std::nearbyint(value / step) * step;
  if (std::abs(rounded) <= to.largest) return rounded;
  return type == ScalarType::e4m3 ? kNan : std::copysign(kInfinity, value);
}

}  // namespace warpcheck::reference
