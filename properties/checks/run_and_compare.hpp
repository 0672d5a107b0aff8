// Execution of a problem and comparison of D with the reference.
#pragma once

#include "properties/checks/property.hpp"

namespace warpcheck::properties::checks {

/// Runs the problem once and compares D with the reference.
[[nodiscard]] PropertyResult run_and_compare(run::Runner& runner, const run::Problem& problem);

/// Compares the output of a finished run. The runner may repeat the run to locate a wrong element.
[[nodiscard]] PropertyResult run_and_compare(run::Runner& runner, const run::Problem& problem,
                                             const run::Run& run);

}  // namespace warpcheck::properties::checks
