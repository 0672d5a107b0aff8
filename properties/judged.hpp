// One run of a problem, and D judged against the reference.
#pragma once

#include "properties/property.hpp"

namespace warpcheck::properties {

/// Runs the problem once and judges D.
[[nodiscard]] Answer judged(Runner& runner, const Problem& problem);

/// Judges what a run left, which the runner may repeat to locate what is wrong.
[[nodiscard]] Answer judged(Runner& runner, const Problem& problem, const Run& run);

}  // namespace warpcheck::properties
