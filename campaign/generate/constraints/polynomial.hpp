// Comparisons of polynomials, rewritten so that a variable occurs once.
#pragma once

#include <vector>

#include "campaign/generate/constraints/constraint.hpp"

namespace warpcheck::campaign::generate {

/// Joins a comparison, which is the last node, with equivalent ones: with equal terms cancelled,
/// and with each variable of several terms as a factor. k == k * n - 6 gets k * (n - 1) == 6, from
/// which k divides 6 follows. Returns false, and changes nothing, if no variable occurs twice.
bool join_factored_forms(std::vector<ConstraintNode>& nodes);

}  // namespace warpcheck::campaign::generate
