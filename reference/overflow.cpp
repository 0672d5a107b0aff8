#include "reference/overflow.hpp"

#include <algorithm>
#include <cmath>

#include "reference/certain_sums.hpp"

namespace warpcheck::reference {

OverflowModel::OverflowModel(const Gemm& problem, const Effective& e, double growth)
    : threshold_(format(problem.accumulate).overflow_threshold()),
      safe_(threshold_ / ((1.0 + growth) * (1.0 + 0x1p-20))),
      outside_(format(problem.type_c).overflow_threshold()),
      alpha_(std::abs(e.alpha)),
      is_double_(problem.accumulate == ScalarType::f64),
      own_((static_cast<double>(e.k) + 4.0) * 0x1p-52 + CertainSums(2 * e.k).value_growth()),
      unscale_(alpha_ > 0.0 && alpha_ < 1.0 ? alpha_ : 1.0) {}

Specials OverflowModel::apply(const Magnitudes& m, double& value, double& tolerance) const {
  const bool is_harmless = harmless(m);
  if (!std::isfinite(value)) {
    // NaN operands, infinity times zero and infinity minus infinity give NaN in any order. An
    // infinity becomes NaN if finite terms first overflow to the opposite infinity. Sums in double
    // may have only finite terms: their order decides.
    tolerance = is_double_ && !is_harmless ? kInfinity : 0.0;
    if (is_harmless) return 0;
    return is_double_ ? kAnySpecial : std::isnan(value) ? Specials{0} : kNan;
  }
  const double magnitude = std::abs(value);
  if (!is_harmless) {
    // The sums of the terms of the opposite and of the same sign. If the former cannot overflow, an
    // intermediate infinity has the sign of the value, and stays.
    const double scaled = alpha_ * m.sum + m.c;
    const double against = 0.5 * (scaled - magnitude + own_ * scaled) / unscale_;
    const double with = 0.5 * (scaled + magnitude + own_ * scaled) / unscale_;
    const bool is_with = !(with < safe_);
    const Specials same = value < 0.0 ? kMinusInfinity : kPlusInfinity;
    // The order decides between the value, an infinity and NaN.
    if (!(against < safe_)) {
      return is_with ? kAnySpecial : static_cast<Specials>(kInfinities & ~same);
    }
    if (is_with && magnitude + tolerance < threshold_) return same;
  }
  if (is_outside(value, tolerance)) {
    value = std::copysign(kInfinity, value);
    tolerance = 0.0;
  }
  return 0;
}

}  // namespace warpcheck::reference
