// The messages of threads that make no progress.
#pragma once

#include <string>

#include "device/finding.hpp"

namespace warpcheck::report {

/// "32 threads wait at line 12 (bar.sync) for barrier 0, to which 32 of 64 have come". The finding
/// has Finding::hang.
[[nodiscard]] std::string hang_text(const Finding& finding);

/// The message of a finding with Finding::budget.
[[nodiscard]] std::string budget_text(const UsedBudget& budget);

}  // namespace warpcheck::report
