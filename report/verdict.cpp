#include "report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::report {

using properties::campaign::FindingReport;
using properties::campaign::VariantReport;
using properties::campaign::Verdict;

const FindingReport& leading_finding(const VariantReport& report) {
  const auto& findings = report.findings;
  const auto unknown =
      std::find_if(findings.begin(), findings.end(),
                   [](const FindingReport& finding) { return finding.known.empty(); });
  return unknown == findings.end() ? findings.front() : *unknown;
}

std::string_view verdict(const VariantReport& report) {
  return report.findings.empty() ? properties::campaign::name(report.verdict)
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
         (known == 0 ? "" : fmt::format(", {} known", known));
}

Totals totals(const properties::campaign::CampaignReport& campaign) {
  Totals all;
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

}  // namespace warpcheck::report
