// A profile with fixed counts.
#pragma once

#include "workflows/profile/profile.hpp"

namespace warpcheck::workflows::profile {

/// Six source lines: line 2 loads 10 columns of a matrix, line 3 multiplies, line 4 reads a tile
/// with a 32-way bank conflict, line 5 branches, line 6 is never executed.
[[nodiscard]] Profile sample_profile();

}  // namespace warpcheck::workflows::profile
