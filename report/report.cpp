#include "report/report.hpp"

namespace warpcheck::report {

void Reports::started(const kernels::Variant& variant) {
  for (const auto& report : reports_) report->started(variant);
}

void Reports::found(const properties::FindingReport& finding) {
  for (const auto& report : reports_) report->found(finding);
}

void Reports::noted(const properties::FindingReport& note) {
  for (const auto& report : reports_) report->noted(note);
}

void Reports::finished(const properties::VariantReport& variant) {
  for (const auto& report : reports_) report->finished(variant);
}

void Reports::progress(const properties::Progress& progress) {
  for (const auto& report : reports_) report->progress(progress);
}

void Reports::launching(const properties::Case& problem) {
  for (const auto& report : reports_) report->launching(problem);
}

void Reports::fuzzing(const properties::FuzzProgress& progress) {
  for (const auto& report : reports_) report->fuzzing(progress);
}

void Reports::fuzzed(const properties::FuzzReport& search) {
  for (const auto& report : reports_) report->fuzzed(search);
}

void Reports::remembered(const properties::Pasts& pasts) {
  for (const auto& report : reports_) report->remembered(pasts);
}

void Reports::drifted(const properties::Drift& drift) {
  for (const auto& report : reports_) report->drifted(drift);
}

void Reports::summary(const properties::CampaignReport& totals) {
  for (const auto& report : reports_) report->summary(totals);
}

std::string_view verdict(const properties::VariantReport& report) {
  if (report.findings.empty()) return properties::name(report.verdict);
  return name(report.findings.front().finding.kind);
}

}  // namespace warpcheck::report
