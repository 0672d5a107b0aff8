// What is told of a campaign, whatever the format: a report hears of each event as it happens, and
// of the totals at the end.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "properties/campaign.hpp"
#include "properties/drift.hpp"
#include "properties/past.hpp"

namespace warpcheck::report {

class Report : public properties::Listener {
 public:
  /// After the last variant: what earlier campaigns came to, where there is a history; those that
  /// passed, but whose errors grew; and once, the totals.
  virtual void remembered(const properties::Pasts& /*pasts*/) {}
  virtual void drifted(const properties::Drift& /*drift*/) {}
  virtual void summary(const properties::CampaignReport& /*totals*/) {}
};

/// Passes everything on to several reports, in the order in which they were added.
class Reports final : public Report {
 public:
  void add(std::unique_ptr<Report> report) { reports_.push_back(std::move(report)); }

  void started(const kernels::Variant& variant) override;
  void found(const properties::FindingReport& finding) override;
  void noted(const properties::FindingReport& note) override;
  void finished(const properties::VariantReport& variant) override;
  void progress(const properties::Progress& progress) override;
  void launching(const properties::Case& problem) override;
  void fuzzing(const properties::FuzzProgress& progress) override;
  void fuzzed(const properties::FuzzReport& report) override;
  void remembered(const properties::Pasts& pasts) override;
  void drifted(const properties::Drift& drift) override;
  void summary(const properties::CampaignReport& totals) override;

 private:
  std::vector<std::unique_ptr<Report>> reports_;
};

/// The word of every format: "pass", "mistrusted", or the class of the first finding.
[[nodiscard]] std::string_view verdict(const properties::VariantReport& report);

}  // namespace warpcheck::report
