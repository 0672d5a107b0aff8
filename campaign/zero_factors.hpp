// Kernels that multiply C by beta = 0, or A and B by alpha = 0, instead of ignoring them. The
// kernels of other operations take neither factor.
#pragma once

#include <string_view>

#include "campaign/report.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

/// Returns the key of the contract that allows what the finding shows; no advice if there is none.
[[nodiscard]] Advice advice_on_zero_factors(const contract::Contract& contract,
                                            const FindingReport& report);

/// Returns true if a finding shows that C is read although beta is 0. `property` is violated.
[[nodiscard]] bool shows_ignored_c(std::string_view property, const Finding& finding);

/// Returns true if a wrong result of the same line shows what an undefined value shows: C is loaded
/// for the element that the same line stores.
[[nodiscard]] bool shows_undefined_c(const FindingReport& wrong, const FindingReport& undefined);

/// Changes the factors of a case whose values can hide which of two mistakes is the cause: alpha =
/// 2 makes "alpha twice" and "product twice" equal.
void distinguish_factors(Case& problem);

}  // namespace warpcheck::campaign
