#include "reference/certain_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/vectorized.hpp"
#include "reference/bounded.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::int64_t kExponentBits = 0x7ff0000000000000;
/// Added to the bits of S, so that numbers of few bits are not next to a limit.
constexpr std::int64_t kOffset = 0x000a5a5a5a5a5a5a;
/// Bits that are removed beyond the margin for two orders. About 1 of 256 values is computed again,
/// and the step of the values is far below one rounding of f32 for each term.
constexpr int kValueBits = 8;
constexpr int kMagnitudeBits = 12;
/// Flags of an uncertain sum: its value is; its value and its magnitude are.
constexpr std::int64_t kValue = 1;
constexpr std::int64_t kBoth = 3;
constexpr double kSmallest = 0x1p-900;  // products below may underflow

/// The numbers to which one sum is rounded.
struct Rounded {
  double magnitude;
  std::int64_t removed;  // the bits that the magnitude had beyond the next smaller number
  double step;           // value is rounded to a multiple of it
  double value;
};

/// Adds the smallest number that makes the sum a multiple of the step, rounded to nearest.
inline double nearest_multiple(double value, double step) {
  const double large = step * 0x1.8p52;
  return (value + large) - large;
}

/// The step of a value, by the increased S.
inline double step_of(double magnitude, double relative_step) {
  const std::int64_t exponent = std::bit_cast<std::int64_t>(magnitude) & kExponentBits;
  return std::bit_cast<double>(exponent) * relative_step;
}

inline Rounded rounded(double value, double magnitude, std::int64_t mask, double relative_step) {
  const auto bits = std::bit_cast<std::int64_t>(magnitude) + (kOffset & mask);
  const auto up = std::bit_cast<double>((bits | mask) + 1);
  const double step = step_of(up, relative_step);
  return {up, bits & mask, step, nearest_multiple(value, step)};
}

}  // namespace

/// In any order, a sum of n exact products has an error below n u S (Jeannerod and Rump 2013). The
/// sum in long double is rounded to double, which adds u S. n u S is at most n units in the last
/// place of S, or 2 n where two sums lie on both sides of a power of 2.
CertainSums::CertainSums(std::int64_t terms)
    : magnitude_margin_(2 * (terms + 2)),
      step_(static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(terms + 2))) *
            std::ldexp(1.0, kValueBits - 52)),
      value_margin_(static_cast<double>(terms + 2) * 0x1p-52) {
  const auto margin_bits =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(magnitude_margin_)));
  magnitude_mask_ = (std::int64_t{1} << std::min(margin_bits + kMagnitudeBits, 50)) - 1;
}

struct CertainSums::Elements {
  const CertainSums& model;
  std::size_t count;
  double* values;
  double* magnitudes;
  double scale;
  double exact_up_to;
  std::int64_t* uncertain;
};

/// Returns true if all are certain. Without branches, so that the compiler can vectorise the loop.
bool CertainSums::round_certain(const Elements& e) {
  const std::int64_t mask = e.model.magnitude_mask_;
  const std::int64_t margin = e.model.magnitude_margin_;
  const double relative_step = e.model.step_;
  const double relative_limit = 0.5 - e.model.value_margin_ / relative_step;
  std::int64_t uncertain = 0;
  for (std::size_t j = 0; j < e.count; ++j) {
    const double value = e.values[j];
    const double magnitude = e.magnitudes[j];
    const Rounded to = rounded(value, magnitude, mask, relative_step);
    const bool exact = (magnitude == 0.0) | (e.scale * magnitude <= e.exact_up_to);
    const bool special = !(std::abs(value) < kInfinity);
    const bool magnitude_is_certain = (magnitude >= kSmallest) & (magnitude < kInfinity) &
                                      (to.removed >= margin) & (to.removed <= mask - margin);
    const bool value_is_certain =
        special | (std::abs(value - to.value) <= relative_limit * to.step);
    const bool certain = exact | (magnitude_is_certain & value_is_certain);
    const double kept = value == value ? value : kNanValue;
    e.values[j] = exact | special ? kept : to.value;
    e.magnitudes[j] = exact ? magnitude : to.magnitude;
    e.uncertain[j] = certain ? 0 : magnitude_is_certain ? kValue : kBoth;
    uncertain |= e.uncertain[j];
  }
  return uncertain == 0;
}

void CertainSums::round(const Row& row, const FixedOrder& fixed_order) {
  uncertain_.resize(row.values.size());
  const Elements elements{*this,     row.values.size(), row.values.data(), row.magnitudes.data(),
                          row.scale, row.exact_up_to,   uncertain_.data()};
  if (vectorized([&] { return round_certain(elements); })) return;
  for (std::size_t j = 0; j < uncertain_.size(); ++j) {
    if (uncertain_[j] == 0) continue;
    const auto column = static_cast<std::int64_t>(j);
    double& magnitude = row.magnitudes[j];
    if (uncertain_[j] == kBoth) {
      magnitude = static_cast<double>(fixed_order.magnitude(row.number, column));
      if (std::isfinite(magnitude)) {
        magnitude = rounded(0.0, magnitude, magnitude_mask_, step_).magnitude;
      }
    }
    const auto value = static_cast<double>(fixed_order.value(row.number, column));
    const double multiple = nearest_multiple(value, step_of(magnitude, step_));
    row.values[j] = value != value ? kNanValue : std::isfinite(multiple) ? multiple : value;
  }
}

}  // namespace warpcheck::reference
