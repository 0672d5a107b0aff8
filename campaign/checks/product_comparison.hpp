// Comparison of the product of matrices with its reference.
#pragma once

#include "campaign/checks/check_result.hpp"

namespace warpcheck::campaign::checks {

/// Compares the output of a finished run. The runner may repeat the run to locate a wrong element.
[[nodiscard]] CheckResult compare_product(run::Runner& runner, const run::Problem& problem,
                                          const run::Run& run);

/// The same, but takes the operands of the problem instead of copying them.
[[nodiscard]] CheckResult compare_product(run::Runner& runner, run::Problem&& problem,
                                          const run::Run& run);

}  // namespace warpcheck::campaign::checks
