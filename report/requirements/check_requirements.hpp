// The requirements of `check`, --min-coverage and --fail-on-drift, and the requirement of all
// campaigns that they are not interrupted.
#pragma once

#include <span>
#include <string_view>

#include "campaign/report.hpp"
#include "report/requirement.hpp"
#include "workflows/coverage/minimum_coverage.hpp"
#include "workflows/history/drift.hpp"

namespace warpcheck::report {

/// One for each variant, if a minimum is required.
void add_coverage_requirements(const campaign::CampaignReport& totals,
                               const workflows::coverage::MinimumCoverage& minimum,
                               Requirements& requirements);

/// One for each variant.
void add_drift_requirements(const campaign::CampaignReport& totals,
                            std::span<const workflows::history::Drift> drifts,
                            Requirements& requirements);

/// The undecided requirement that an interrupted campaign is complete. `planned`: "of 3 variants,
/// up to 100 cases each,"; may be empty.
void add_completeness_requirement(const campaign::CampaignReport& totals, std::string_view planned,
                                  Requirements& requirements);

}  // namespace warpcheck::report
