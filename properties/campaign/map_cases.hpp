// Cases on which the pattern of a finding's errors can be seen.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::campaign {

/// What to map for a finding that was met on `drawn`: where its D is more than a tile in both
/// directions, that case alone. Otherwise first like cases of some tiles, with tight lines: beyond
/// whole tiles in both directions, in the one that was too small, in neither; and last the case
/// itself. They may lie outside the contract's domain.
[[nodiscard]] std::vector<Case> cases_to_map(const contract::Contract& contract, const Case& drawn);

}  // namespace warpcheck::properties::campaign
