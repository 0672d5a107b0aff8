// The likely fixes of a finding.
#pragma once

#include <string>
#include <vector>

#include "campaign/report.hpp"

namespace warpcheck::report {

/// "if this is intended, add beta_zero = "reads" to the contract"; empty if there is no advice.
[[nodiscard]] std::string advice_text(const campaign::Advice& advice);

/// Returns the likely fixes, one sentence each, lower case, without a final period. Empty where the
/// evidence supports none: a wrong hint is worse than none.
[[nodiscard]] std::vector<std::string> help_texts(const campaign::FindingReport& report);

}  // namespace warpcheck::report
