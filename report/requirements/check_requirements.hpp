// The requirements of `check`: --min-coverage, --fail-on-drift, and that it was not interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// The undecided requirement that an interrupted campaign is complete: `cases` of each of
/// `variants`.
void add_completeness_requirement(const properties::campaign::CampaignReport& totals,
                                  std::int64_t cases, std::size_t variants,
                                  Requirements& requirements);

}  // namespace warpcheck::report
