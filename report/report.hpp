// Interface of all report formats: a report receives each event of a campaign when it happens, and
// the totals at the end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/requirement.hpp"
#include "workflows/fuzz/fuzzer.hpp"
#include "workflows/history/campaign_trend.hpp"
#include "workflows/history/drift.hpp"
#include "workflows/prove/prove.hpp"

namespace warpcheck::report {

class Report : public workflows::fuzz::Listener {
 public:
  /// Called after the last variant: with the results of earlier campaigns, if there is a history;
  /// with each variant that passed with larger errors than before; and once, with the totals.
  virtual void compared(const workflows::history::CampaignTrend& /*trend*/) {}
  virtual void drifted(const workflows::history::Drift& /*drift*/) {}
  /// Called before the campaign, for each variant whose properties are proved.
  virtual void proved(const workflows::prove::VariantResult& /*result*/) {}
  /// Called before the summary: with the .cu files of the targets' folders that have no contract,
  /// and with the requirements besides findings, if the command has any.
  virtual void without_contract(const std::vector<std::string>& /*files*/) {}
  virtual void evaluated(const Requirements& /*requirements*/) {}
  virtual void summary(const campaign::CampaignReport& /*totals*/) {}
};

/// Forwards each event to several reports, in the order in which they were added.
class Reports final : public Report {
 public:
  void add(std::unique_ptr<Report> report) { reports_.push_back(std::move(report)); }

  void started(const contract::Variant& variant) override;
  void found(const campaign::FindingReport& finding) override;
  void noted(const campaign::FindingReport& note) override;
  void finished(const campaign::VariantReport& variant) override;
  void not_checked(const contract::TargetError& error) override;
  void progress(const campaign::Progress& progress) override;
  void launching(const campaign::Case& problem) override;
  void fuzzing(const workflows::fuzz::FuzzProgress& progress) override;
  void fuzzed(const workflows::fuzz::FuzzReport& report) override;
  void compared(const workflows::history::CampaignTrend& trend) override;
  void drifted(const workflows::history::Drift& drift) override;
  void proved(const workflows::prove::VariantResult& result) override;
  void without_contract(const std::vector<std::string>& files) override;
  void evaluated(const Requirements& requirements) override;
  /// Writes every report, also if one cannot be written; then throws the first EnvironmentError.
  void summary(const campaign::CampaignReport& totals) override;

 private:
  std::vector<std::unique_ptr<Report>> reports_;
};

}  // namespace warpcheck::report
