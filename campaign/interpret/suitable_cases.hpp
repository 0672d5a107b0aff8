// Cases in which a wrong layout or a wrong order of arguments shows.
#pragma once

#include <cstddef>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::interpret {

/// Returns `count` small cases whose extents differ, as far as the domain allows it; fewer if the
/// domain has no more.
[[nodiscard]] std::vector<Case> suitable_cases(const contract::Contract& contract,
                                               std::size_t count);

}  // namespace warpcheck::campaign::interpret
