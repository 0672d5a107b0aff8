// Numbers as people read them.
#pragma once

#include <cmath>

namespace warpcheck {

/// `value`, but a NaN without its sign, which fmt would print and which means nothing (IEEE
/// 754-2019, 6.3).
inline double shown(double value) { return std::isnan(value) ? std::fabs(value) : value; }

}  // namespace warpcheck
