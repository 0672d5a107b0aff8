// Cases that show the pattern of a finding's errors.
#pragma once

#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::judge {

/// Returns the cases to try, in order, for the error map of a finding on `failing`. If the output
/// has more than one tile in both directions, this is `failing` alone. Otherwise, larger cases with
/// tight strides come first: beyond whole tiles in both directions, then only in the direction that
/// was too small, then whole tiles only; `failing` is the last. The cases may lie outside the
/// contract's domain.
[[nodiscard]] std::vector<Case> cases_to_map(const contract::Contract& contract,
                                             const Case& failing, std::string_view output);

}  // namespace warpcheck::campaign::judge
