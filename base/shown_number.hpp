// Numbers as reports print them.
#pragma once

#include <cmath>

namespace warpcheck {

/// `value`, without the sign if it is a NaN: fmt prints that sign, but it has no meaning (IEEE
/// 754-2019, 6.3).
inline double shown(double value) { return std::isnan(value) ? std::fabs(value) : value; }

}  // namespace warpcheck
