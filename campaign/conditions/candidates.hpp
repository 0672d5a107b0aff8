// The finite set of conditions among which the learner chooses.
#pragma once

#include <vector>

#include "campaign/conditions/example.hpp"

namespace warpcheck::campaign::conditions {

/// Returns the conditions that `passing` satisfies, with constants that examples suggest: moduli up
/// to 256, limits next to the values of failing examples, equality with a constant or between
/// quantities.
[[nodiscard]] Conjunction candidate_conditions(const Example& passing,
                                               const std::vector<const Example*>& failing,
                                               const std::vector<Quantity>& quantities);

}  // namespace warpcheck::campaign::conditions
