// Comparison of the outputs of an operation of the language with its reference.
#pragma once

#include "campaign/checks/comparison.hpp"

namespace warpcheck::campaign::checks {

/// Compares the outputs. The sensitivity of a pass is the share of some input elements, chosen by
/// the seed, whose loss would certainly have been detected: if the element is 0, or another integer
/// of its range, an output changes by more than twice its tolerance. Masks may hide most elements:
/// further ones are tried until one is detected.
[[nodiscard]] Comparison compare_tensors(const run::Runner& runner, const run::Problem& problem,
                                         const run::Run& run);

}  // namespace warpcheck::campaign::checks
