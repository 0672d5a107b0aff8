// Learns a conjunction of conditions from examples.
//
// A passing example eliminates each condition that it violates (Valiant, "A theory of the
// learnable", CACM 1984). The remaining conditions are true on all passing examples. The hypothesis
// consists of a subset of them with low cost that excludes all failing examples.
#pragma once

#include <vector>

#include "campaign/conditions/example.hpp"

namespace warpcheck::campaign::conditions {

struct Hypothesis {
  Conjunction conditions;                // begins with the assumed ones
  Conjunction possible;                  // all conditions that no passing example eliminated
  std::vector<std::size_t> unexplained;  // failing examples that no possible condition excludes
};

/// Returns true if a passing example eliminates the condition. One with extents of 1 eliminates
/// only conditions on these extents alone, and one with an extent of 0 only lower limits.
[[nodiscard]] bool eliminates(const Example& example, const Condition& condition);

/// Examples that violate the assumed conditions are ignored.
[[nodiscard]] Hypothesis infer(const std::vector<Example>& examples,
                               const std::vector<Quantity>& quantities, const Conjunction& assumed);

/// Moves the constants of comparisons to values that passing examples have.
[[nodiscard]] Conjunction with_attained_limits(Conjunction conditions,
                                               const std::vector<Example>& examples);

/// Removes conditions as long as the others exclude all failing examples.
[[nodiscard]] Conjunction without_redundant(Conjunction conditions,
                                            const std::vector<Example>& examples);

/// Returns the condition that excludes most of the unexplained failures for the fewest lost passes;
/// empty if none excludes half of them.
[[nodiscard]] std::optional<Condition> best_assumption(const std::vector<Example>& examples,
                                                       const std::vector<Quantity>& quantities,
                                                       const Hypothesis& hypothesis);

}  // namespace warpcheck::campaign::conditions
