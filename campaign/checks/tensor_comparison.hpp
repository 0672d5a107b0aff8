// Comparison of the outputs of an operation of the language with its reference.
#pragma once

#include "campaign/checks/check_result.hpp"

namespace warpcheck::campaign::checks {

/// Compares the outputs of a finished run. The runner may repeat the run to locate a wrong element.
/// The sensitivity of a pass is the share of some input elements, chosen by the seed, whose loss
/// would certainly have been detected: if the element is 0, or another integer of its range, an
/// output changes by more than twice its tolerance. Masks may hide most elements: further ones are
/// tried until one is detected.
[[nodiscard]] CheckResult compare_tensors(run::Runner& runner, const run::Problem& problem,
                                          const run::Run& run);

}  // namespace warpcheck::campaign::checks
