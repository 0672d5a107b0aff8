// The requirements that options of `check` state: --min-coverage and --fail-on-drift.
#pragma once

#include <span>

#include "properties/campaign/report.hpp"
#include "report/requirement.hpp"
#include "workflows/coverage/minimum_coverage.hpp"
#include "workflows/history/drift.hpp"

namespace warpcheck::report {

/// One for each variant, if a minimum is required.
void add_coverage_requirements(const properties::campaign::CampaignReport& totals,
                               const workflows::coverage::MinimumCoverage& minimum,
                               Requirements& requirements);

/// One for each variant.
void add_drift_requirements(const properties::campaign::CampaignReport& totals,
                            std::span<const workflows::history::Drift> drifts,
                            Requirements& requirements);

}  // namespace warpcheck::report
