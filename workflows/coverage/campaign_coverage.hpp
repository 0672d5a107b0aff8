// The source coverage of a campaign, and the minimum that a user requires.
#pragma once

#include <vector>

#include "properties/campaign/report.hpp"
#include "properties/coverage/source_coverage.hpp"

namespace warpcheck::workflows::coverage {

/// In percent; 0: not required.
struct MinimumCoverage {
  double lines = 0.0;
  double branches = 0.0;

  [[nodiscard]] bool is_required() const { return lines > 0.0 || branches > 0.0; }
};

/// The coverage by the cases of all variants.
[[nodiscard]] properties::coverage::SourceCoverage total_coverage(
    const properties::campaign::CampaignReport& report);

/// The variants whose coverage is unknown or below the minimum, as pointers into the report.
[[nodiscard]] std::vector<const properties::campaign::VariantReport*> below_minimum(
    const properties::campaign::CampaignReport& report, const MinimumCoverage& minimum);

}  // namespace warpcheck::workflows::coverage
