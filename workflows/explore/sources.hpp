// The cases that explore runs without a hypothesis.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/sampling/rng.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {

/// Returns a measure of the extents by which cases of one contract are compared.
[[nodiscard]] double size_of(const contract::Contract& contract, const properties::Case& problem);

/// Returns cases that most kernels admit: sizes that are multiples of powers of two, or all equal,
/// tight strides, aligned bases, scalars of 1, and beta = 0 or 1.
[[nodiscard]] std::vector<properties::Case> friendly_cases(const contract::Contract& contract);

/// Returns cases of arbitrary small sizes, some of them equal, otherwise like friendly_cases().
[[nodiscard]] std::vector<properties::Case> small_cases(const contract::Contract& contract,
                                                        properties::generate::Rng& random,
                                                        std::size_t count);

/// Returns variations of a passing case. Each changes one quantity, or sets several extents or all
/// leading dimensions to one value.
[[nodiscard]] std::vector<properties::Case> variations(const contract::Contract& contract,
                                                       const properties::Case& passing,
                                                       const std::vector<Quantity>& quantities,
                                                       std::int64_t max_size);

/// Returns the passing case with all small values of one extent.
[[nodiscard]] std::vector<properties::Case> dense_variations(const contract::Contract& contract,
                                                             const properties::Case& passing,
                                                             const Quantity& extent,
                                                             std::int64_t max_size);

}  // namespace warpcheck::workflows::explore
