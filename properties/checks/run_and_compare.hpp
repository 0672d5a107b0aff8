// One run of a problem, and D judged against the reference.
#pragma once

#include "properties/checks/property.hpp"

namespace warpcheck::properties::checks {

/// Runs the problem once and judges D.
[[nodiscard]] PropertyResult run_and_compare(run::Runner& runner, const run::Problem& problem);

/// Judges what a run left, which the runner may repeat to locate what is wrong.
[[nodiscard]] PropertyResult run_and_compare(run::Runner& runner, const run::Problem& problem,
                                             const run::Run& run);

}  // namespace warpcheck::properties::checks
