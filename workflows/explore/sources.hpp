// The cases that explore runs without a hypothesis.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {

/// Returns variations of a passing case. Each changes one quantity, or sets several extents or all
/// leading dimensions to one value.
[[nodiscard]] std::vector<campaign::Case> variations(const contract::Contract& contract,
                                                     const campaign::Case& passing,
                                                     const std::vector<Quantity>& quantities,
                                                     std::int64_t max_size);

/// Returns the passing case with all small values of one extent.
[[nodiscard]] std::vector<campaign::Case> dense_variations(const contract::Contract& contract,
                                                           const campaign::Case& passing,
                                                           const Quantity& extent,
                                                           std::int64_t max_size);

}  // namespace warpcheck::workflows::explore
