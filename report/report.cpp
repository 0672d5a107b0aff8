#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::report {

void Reports::started(const contract::Variant& variant) {
  for (const auto& report : reports_) report->started(variant);
}

void Reports::found(const properties::campaign::FindingReport& finding) {
  for (const auto& report : reports_) report->found(finding);
}

void Reports::noted(const properties::campaign::FindingReport& note) {
  for (const auto& report : reports_) report->noted(note);
}

void Reports::finished(const properties::campaign::VariantReport& variant) {
  for (const auto& report : reports_) report->finished(variant);
}

void Reports::progress(const properties::campaign::Progress& progress) {
  for (const auto& report : reports_) report->progress(progress);
}

void Reports::launching(const properties::Case& problem) {
  for (const auto& report : reports_) report->launching(problem);
}

void Reports::fuzzing(const workflows::fuzz::FuzzProgress& progress) {
  for (const auto& report : reports_) report->fuzzing(progress);
}

void Reports::fuzzed(const workflows::fuzz::FuzzReport& search) {
  for (const auto& report : reports_) report->fuzzed(search);
}

void Reports::remembered(const workflows::history::CampaignTrend& pasts) {
  for (const auto& report : reports_) report->remembered(pasts);
}

void Reports::drifted(const workflows::history::Drift& drift) {
  for (const auto& report : reports_) report->drifted(drift);
}

void Reports::summary(const properties::campaign::CampaignReport& totals) {
  for (const auto& report : reports_) report->summary(totals);
}

const properties::campaign::FindingReport& leading(
    const properties::campaign::VariantReport& report) {
  const auto& findings = report.findings;
  const auto unknown = std::find_if(
      findings.begin(), findings.end(),
      [](const properties::campaign::FindingReport& one) { return one.known.empty(); });
  return unknown == findings.end() ? findings.front() : *unknown;
}

std::string_view verdict(const properties::campaign::VariantReport& report) {
  return report.findings.empty() ? properties::campaign::name(report.verdict)
                                 : name(leading(report).finding.kind);
}

Shares shares(const properties::campaign::VariantReport& report) {
  Shares measured;
  if (report.acceptance.generated != 0) measured.in_domain = report.acceptance.share();
  measured.sensitivity = report.sensitivity;
  if (report.pair_coverage.all != 0) measured.pair_coverage = report.pair_coverage.share();
  return measured;
}

bool is_known(const properties::campaign::VariantReport& report) {
  return !report.findings.empty() && !leading(report).known.empty();
}

std::string Sums::text() const {
  return fmt::format("{} passed, {} failed, {} mistrusted", passed, failed, mistrusted) +
         (known == 0 ? "" : fmt::format(", {} known", known));
}

Sums sums(const properties::campaign::CampaignReport& totals) {
  Sums all;
  for (const properties::campaign::VariantReport& variant : totals.variants) {
    if (is_known(variant)) {
      ++all.known;
    } else if (variant.verdict == properties::campaign::Verdict::pass) {
      ++all.passed;
    } else {
      ++(variant.verdict == properties::campaign::Verdict::finding ? all.failed : all.mistrusted);
    }
  }
  return all;
}

}  // namespace warpcheck::report
