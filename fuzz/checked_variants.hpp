// The variants whose cases the target `case` checks.
#pragma once

#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::fuzz {

/// Returns the built-in variants, or those of the .cu or folder in WARPCHECK_FUZZ_VARIANTS.
[[nodiscard]] const std::vector<contract::Variant>& checked_variants();

}  // namespace warpcheck::fuzz
