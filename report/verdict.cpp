#include "report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/wording.hpp"

namespace warpcheck::report {

using campaign::FindingReport;
using campaign::VariantReport;
using campaign::Verdict;

namespace {

/// The finding that represents a variant with findings: the first one that no policy of a gate
/// accepts as known, or else the first.
const FindingReport& leading_finding(const VariantReport& report) {
  const auto& findings = report.findings;
  const auto unknown =
      std::find_if(findings.begin(), findings.end(),
                   [](const FindingReport& finding) { return finding.known.empty(); });
  return unknown == findings.end() ? findings.front() : *unknown;
}

}  // namespace

std::string_view verdict(const VariantReport& report) {
  return report.findings.empty() ? campaign::name(report.verdict)
                                 : name(leading_finding(report).finding.kind);
}

bool is_known(const VariantReport& report) {
  return !report.findings.empty() && !leading_finding(report).known.empty();
}

Measures measures(const VariantReport& report) {
  Measures measured;
  measured.sensitivity = report.sensitivity;
  if (report.level_coverage.all != 0) measured.level_coverage = report.level_coverage.share();
  if (report.pair_coverage.all != 0) measured.pair_coverage = report.pair_coverage.share();
  return measured;
}

std::string Totals::text() const {
  return fmt::format("{} passed, {} failed, {} mistrusted", passed, failed, mistrusted) +
         (unsupported == 0 ? "" : fmt::format(", {} unsupported", unsupported)) +
         (known == 0 ? "" : fmt::format(", {} known", known)) +
         (not_checked == 0 ? "" : fmt::format(", {} not checked", not_checked)) +
         (not_met == 0 ? "" : fmt::format(", {} not met", counted(not_met, "requirement")));
}

Totals totals(const campaign::CampaignReport& campaign, const Requirements& requirements) {
  Totals all;
  all.not_checked = static_cast<std::int64_t>(campaign.errors.size());
  all.not_met = static_cast<std::int64_t>(requirements.open().size());
  for (const VariantReport& variant : campaign.variants) {
    if (is_known(variant)) {
      ++all.known;
    } else if (variant.verdict == Verdict::pass) {
      ++all.passed;
    } else {
      ++(variant.verdict == Verdict::finding       ? all.failed
         : variant.verdict == Verdict::unsupported ? all.unsupported
                                                   : all.mistrusted);
    }
  }
  return all;
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::error:
      return "error";
    case Outcome::undecided:
      return "undecided";
  }
  return {};
}

Outcome outcome_of(const campaign::CampaignReport& campaign, const Requirements& requirements) {
  if (!campaign.not_run.empty()) return Outcome::undecided;
  const Totals all = totals(campaign);
  if (all.not_checked != 0) return Outcome::error;
  const auto open = requirements.open();
  const bool unmet = std::any_of(open.begin(), open.end(), [](const Requirement* requirement) {
    return requirement->state == RequirementState::unmet;
  });
  if (all.failed != 0 || all.mistrusted != 0 || unmet) return Outcome::failed;
  return all.unsupported != 0 || !open.empty() ? Outcome::undecided : Outcome::passed;
}

}  // namespace warpcheck::report
