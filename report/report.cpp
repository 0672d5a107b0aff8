#include "report/report.hpp"

#include <exception>

#include "base/diagnostic.hpp"

namespace warpcheck::report {

void Reports::started(const contract::Variant& variant) {
  for (const auto& report : reports_) report->started(variant);
}

void Reports::found(const campaign::FindingReport& finding) {
  for (const auto& report : reports_) report->found(finding);
}

void Reports::noted(const campaign::FindingReport& note) {
  for (const auto& report : reports_) report->noted(note);
}

void Reports::finished(const campaign::VariantReport& variant) {
  for (const auto& report : reports_) report->finished(variant);
}

void Reports::not_checked(const contract::TargetError& error) {
  for (const auto& report : reports_) report->not_checked(error);
}

void Reports::progress(const campaign::Progress& progress) {
  for (const auto& report : reports_) report->progress(progress);
}

void Reports::launching(const campaign::Case& problem) {
  for (const auto& report : reports_) report->launching(problem);
}

void Reports::fuzzing(const workflows::fuzz::FuzzProgress& progress) {
  for (const auto& report : reports_) report->fuzzing(progress);
}

void Reports::fuzzed(const workflows::fuzz::FuzzReport& search) {
  for (const auto& report : reports_) report->fuzzed(search);
}

void Reports::compared(const workflows::history::CampaignTrend& trend) {
  for (const auto& report : reports_) report->compared(trend);
}

void Reports::drifted(const workflows::history::Drift& drift) {
  for (const auto& report : reports_) report->drifted(drift);
}

void Reports::proved(const workflows::prove::VariantResult& result) {
  for (const auto& report : reports_) report->proved(result);
}

void Reports::without_contract(const std::vector<std::string>& files) {
  for (const auto& report : reports_) report->without_contract(files);
}

void Reports::evaluated(const Requirements& requirements) {
  for (const auto& report : reports_) report->evaluated(requirements);
}

void Reports::summary(const campaign::CampaignReport& totals) {
  std::exception_ptr first;
  for (const auto& report : reports_) {
    try {
      report->summary(totals);
    } catch (const EnvironmentError&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace warpcheck::report
