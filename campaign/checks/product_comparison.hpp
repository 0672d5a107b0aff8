// Comparison of the product of matrices with its reference.
#pragma once

#include "campaign/checks/comparison.hpp"

namespace warpcheck::campaign::checks {

/// Compares the products of a batch.
[[nodiscard]] Comparison compare_product(const run::Runner& runner, const run::Problem& problem,
                                         const run::Run& run);

/// The same, but takes the operands of the problem instead of copying them.
[[nodiscard]] Comparison compare_product(const run::Runner& runner, run::Problem&& problem,
                                         const run::Run& run);

}  // namespace warpcheck::campaign::checks
