// The cases that explore runs without a hypothesis.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "workflows/explore/quantity.hpp"

namespace warpcheck::workflows::explore {

/// Returns cases that most kernels admit: sizes that are multiples of powers of two, or all equal,
/// tight strides, aligned bases, alpha = 1 and beta = 0. `declared` are sizes near these in the
/// declared domain.
[[nodiscard]] std::vector<properties::Case> friendly_cases(
    const contract::Contract& contract, const std::vector<properties::Case>& declared);

/// Returns variations of a passing case. Each changes one quantity, or sets several extents or all
/// leading dimensions to one value.
[[nodiscard]] std::vector<properties::Case> variations(const contract::Contract& contract,
                                                       const properties::Case& passing,
                                                       const std::vector<Quantity>& quantities,
                                                       std::int64_t max_size);

}  // namespace warpcheck::workflows::explore
