// The source coverage of a campaign.
#pragma once

#include <vector>

#include "properties/campaign/report.hpp"
#include "properties/coverage/source_coverage.hpp"
#include "workflows/coverage/minimum_coverage.hpp"

namespace warpcheck::workflows::coverage {

/// The coverage by the cases of all variants.
[[nodiscard]] properties::coverage::SourceCoverage total_coverage(
    const properties::campaign::CampaignReport& report);

/// The variants whose coverage is unknown or below the minimum, as pointers into the report,
/// without those that the device could not execute.
[[nodiscard]] std::vector<const properties::campaign::VariantReport*> below_minimum(
    const properties::campaign::CampaignReport& report, const MinimumCoverage& minimum);

}  // namespace warpcheck::workflows::coverage
