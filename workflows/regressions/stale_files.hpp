// Regression files whose variant no longer exists.
#pragma once

#include <span>
#include <vector>

#include "workflows/regressions/regressions.hpp"

namespace warpcheck::workflows::regressions {

/// A warning for each file next to the targets' .cu files that belongs to no variant of a .cu file
/// there.
[[nodiscard]] std::vector<Warning> find_stale_files(std::span<const targets::Target> targets);

}  // namespace warpcheck::workflows::regressions
