// Comparison of the outputs of a problem with the reference.
#pragma once

#include "campaign/checks/check_result.hpp"

namespace warpcheck::campaign::checks {

/// The evidence of a wrong element, without a diagnosis: "C[3, 4] is 1, expected 2: off by 1,
/// tolerance 1e-05; 3 of 9 elements are wrong".
[[nodiscard]] run::Evidence wrong_element(const Placement& place, judge::Mismatch mismatch);

/// Runs the problem once and compares the outputs with the reference.
[[nodiscard]] CheckResult run_and_compare(run::Runner& runner, run::Problem problem);

/// Compares the outputs of a finished run. The runner may repeat the run to locate a wrong element.
[[nodiscard]] CheckResult run_and_compare(run::Runner& runner, const run::Problem& problem,
                                          const run::Run& run);

}  // namespace warpcheck::campaign::checks
