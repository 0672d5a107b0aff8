#include "workflows/coverage/campaign_coverage.hpp"

namespace warpcheck::workflows::coverage {
namespace {

using campaign::CampaignReport;
using campaign::VariantReport;

bool reaches(const VariantReport& variant, const MinimumCoverage& minimum) {
  return variant.coverage && variant.coverage->lines().reaches(minimum.lines) &&
         variant.coverage->branches().reaches(minimum.branches);
}

}  // namespace

campaign::coverage::SourceCoverage total_coverage(const CampaignReport& report) {
  campaign::coverage::SourceCoverage total;
  for (const VariantReport& variant : report.variants) {
    if (variant.coverage) merge(total, *variant.coverage);
  }
  return total;
}

std::vector<const VariantReport*> below_minimum(const CampaignReport& report,
                                                const MinimumCoverage& minimum) {
  std::vector<const VariantReport*> found;
  for (const VariantReport& variant : report.variants) {
    // Cases that the device could not execute are not counted.
    const bool is_counted = variant.verdict != campaign::Verdict::unsupported;
    if (is_counted && !reaches(variant, minimum)) found.push_back(&variant);
  }
  return found;
}

}  // namespace warpcheck::workflows::coverage
