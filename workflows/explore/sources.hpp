// The cases that explore runs without a hypothesis.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "contract/contract.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {

/// Returns true if each extent is at most `max_size` and, unless 0 is an ordinary value of it, at
/// least 1.
[[nodiscard]] bool is_valid(const campaign::CaseSchema& schema, const campaign::Case& problem,
                            std::int64_t max_size);

/// Returns cases that most kernels admit: sizes that are powers of two, or all equal, tight
/// strides, aligned bases, and factors of 1, or of 0 where that is the usual value.
[[nodiscard]] std::vector<campaign::Case> friendly_cases(const contract::Contract& contract,
                                                         const campaign::CaseSchema& schema);

/// Returns cases of arbitrary small sizes, some of them equal, otherwise like friendly_cases().
[[nodiscard]] std::vector<campaign::Case> small_cases(const contract::Contract& contract,
                                                      const campaign::CaseSchema& schema,
                                                      campaign::generate::Rng& random,
                                                      std::size_t count);

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
