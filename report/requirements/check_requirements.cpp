#include "report/requirements/check_requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "report/coverage_text.hpp"
#include "report/wording.hpp"
#include "workflows/coverage/campaign_coverage.hpp"

namespace warpcheck::report {

using campaign::CampaignReport;
using campaign::VariantReport;

void add_coverage_requirements(const CampaignReport& totals,
                               const workflows::coverage::MinimumCoverage& minimum,
                               Requirements& requirements) {
  if (!minimum.is_required()) return;
  const auto below = workflows::coverage::below_minimum(totals, minimum);
  for (const VariantReport& variant : totals.variants) {
    Requirement made{"coverage", fmt::format("{}: coverage on {}", variant.variant, variant.device),
                     variant.variant, RequirementState::met, ""};
    if (std::find(below.begin(), below.end(), &variant) != below.end()) {
      made.state = RequirementState::unmet;
      made.reason =
          fmt::format("{}: too little coverage: {}", variant.variant, shortfall(variant, minimum));
    }
    requirements.all.push_back(std::move(made));
  }
}

void add_drift_requirements(const CampaignReport& totals,
                            std::span<const workflows::history::Drift> drifts,
                            Requirements& requirements) {
  for (const VariantReport& variant : totals.variants) {
    Requirement made{"drift", fmt::format("{}: drift on {}", variant.variant, variant.device),
                     variant.variant, RequirementState::met, ""};
    const auto drift = std::find_if(drifts.begin(), drifts.end(), [&](const auto& one) {
      return one.variant == variant.variant && one.device == variant.device;
    });
    if (drift != drifts.end()) {
      made.state = RequirementState::unmet;
      made.reason =
          fmt::format("{}: drift: error over bound {:.2g}, {:.2g} in the campaign of {} UTC",
                      variant.variant, drift->now.typical, drift->before.typical, drift->since);
    }
    requirements.all.push_back(std::move(made));
  }
}

void add_completeness_requirement(const CampaignReport& totals, std::string_view planned,
                                  Requirements& requirements) {
  const auto variants = static_cast<std::int64_t>(totals.variants.size());
  requirements.all.push_back(
      {"complete", "the campaign is complete", "", RequirementState::undecided,
       fmt::format("interrupted: this result is incomplete: {} of {}{} {} run",
                   counted(totals.cases, "case"),
                   planned.empty() ? "" : fmt::format("{} ", variants),
                   planned.empty() ? counted(variants, "variant") : std::string(planned),
                   totals.cases == 1 ? "was" : "were")});
}

}  // namespace warpcheck::report
