// The source coverage of a campaign.
#pragma once

#include <vector>

#include "campaign/coverage/source_coverage.hpp"
#include "campaign/report.hpp"
#include "workflows/coverage/minimum_coverage.hpp"

namespace warpcheck::workflows::coverage {

/// The coverage by the cases of all variants.
[[nodiscard]] campaign::coverage::SourceCoverage total_coverage(
    const campaign::CampaignReport& report);

/// The variants whose coverage is unknown or below the minimum, as pointers into the report,
/// without those that the device could not execute.
[[nodiscard]] std::vector<const campaign::VariantReport*> below_minimum(
    const campaign::CampaignReport& report, const MinimumCoverage& minimum);

}  // namespace warpcheck::workflows::coverage
