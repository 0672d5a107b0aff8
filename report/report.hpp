// What is told of a campaign, whatever the format: a report hears of each event as it happens, and
// of the totals at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workflows/fuzz/fuzzer.hpp"
#include "workflows/history/campaign_trend.hpp"
#include "workflows/history/drift.hpp"

namespace warpcheck::report {

class Report : public workflows::fuzz::Listener {
 public:
  /// After the last variant: what earlier campaigns came to, where there is a history; those that
  /// passed, but whose errors grew; and once, the totals.
  virtual void remembered(const workflows::history::CampaignTrend& /*pasts*/) {}
  virtual void drifted(const workflows::history::Drift& /*drift*/) {}
  virtual void summary(const properties::campaign::CampaignReport& /*totals*/) {}
};

/// Passes everything on to several reports, in the order in which they were added.
class Reports final : public Report {
 public:
  void add(std::unique_ptr<Report> report) { reports_.push_back(std::move(report)); }

  void started(const contract::Variant& variant) override;
  void found(const properties::campaign::FindingReport& finding) override;
  void noted(const properties::campaign::FindingReport& note) override;
  void finished(const properties::campaign::VariantReport& variant) override;
  void progress(const properties::campaign::Progress& progress) override;
  void launching(const properties::Case& problem) override;
  void fuzzing(const workflows::fuzz::FuzzProgress& progress) override;
  void fuzzed(const workflows::fuzz::FuzzReport& report) override;
  void remembered(const workflows::history::CampaignTrend& pasts) override;
  void drifted(const workflows::history::Drift& drift) override;
  void summary(const properties::campaign::CampaignReport& totals) override;

 private:
  std::vector<std::unique_ptr<Report>> reports_;
};

/// The finding that stands for a variant that has some: the first that no policy of a gate knows,
/// or else the first.
[[nodiscard]] const properties::campaign::FindingReport& leading(
    const properties::campaign::VariantReport& report);

/// The word of every format: "pass", "mistrusted", or the class of the leading finding.
[[nodiscard]] std::string_view verdict(const properties::campaign::VariantReport& report);

/// What is told in percent of a variant's cases; empty: not measured. A search draws no cases and
/// measures none of these; a case that is replayed is asked and has power.
struct Shares {
  std::optional<double> in_domain;      // of the cases drawn
  std::optional<double> sensitivity;    // of terms
  std::optional<double> pair_coverage;  // of factors
};
[[nodiscard]] Shares shares(const properties::campaign::VariantReport& report);

/// Whether the policy of a gate knows all that is wrong with a variant, so that it fails nothing.
[[nodiscard]] bool is_known(const properties::campaign::VariantReport& report);

/// Variants of a campaign, each counted once.
struct Sums {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t mistrusted = 0;
  std::int64_t known = 0;  // see is_known()

  /// "2 passed, 1 failed, 0 mistrusted"; of a gate also ", 1 known".
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] Sums sums(const properties::campaign::CampaignReport& totals);

}  // namespace warpcheck::report
