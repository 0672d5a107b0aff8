// Bounds of variables that follow from several linear constraints together.
#pragma once

#include <vector>

#include "campaign/generate/constraints/constraint.hpp"

namespace warpcheck::campaign::generate {

/// Narrows the domains to the bounds that follow from sums of linear inequalities, as
/// Fourier-Motzkin elimination finds them: m > n and n >= m together exclude every value, although
/// each alone excludes none. The number of sums is limited. Returns false if no value remains.
[[nodiscard]] bool narrow_by_linear_bounds(const std::vector<const Constraint*>& constraints,
                                           Domains& domains);

}  // namespace warpcheck::campaign::generate
