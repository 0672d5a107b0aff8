#include "reference/overflow.hpp"

#include <algorithm>
#include <cmath>

namespace warpcheck::reference {

OverflowModel::OverflowModel(const Gemm& problem, const Effective& e, double growth)
    : threshold_(format(problem.accumulate).overflow_threshold()),
      safe_(threshold_ / ((1.0 + growth) * (1.0 + 0x1p-20))),
      outside_(format(problem.type_c).overflow_threshold()),
      alpha_(std::abs(e.alpha)),
      own_((static_cast<double>(e.k) + 4.0) * 0x1p-52),
      unscale_(alpha_ > 0.0 && alpha_ < 1.0 ? alpha_ : 1.0) {}

void OverflowModel::apply(const Magnitudes& m, double& value, double& tolerance) const {
  const bool is_harmless = harmless(m);
  if (!std::isfinite(value)) {
    // NaN operands, infinity times zero and infinity minus infinity give NaN in any order. An
    // infinity becomes NaN if finite terms first overflow to the opposite infinity.
    tolerance = std::isnan(value) || is_harmless ? 0.0 : kInfinity;
    return;
  }
  const double magnitude = std::abs(value);
  if (!is_harmless) {
    // The sum of the terms of the opposite sign. If they alone cannot overflow, an intermediate
    // infinity has the sign of the value, and stays.
    const double scaled = alpha_ * m.sum + m.c;
    const double against = 0.5 * (scaled - magnitude + own_ * scaled) / unscale_;
    if (!(against < safe_ && magnitude + tolerance >= threshold_)) {
      tolerance = kInfinity;  // the order decides between the value, an infinity and NaN
      return;
    }
  }
  if (is_outside(value, tolerance)) {
    value = std::copysign(kInfinity, value);
    tolerance = 0.0;
  }
}

}  // namespace warpcheck::reference
