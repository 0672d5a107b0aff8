// The journal that stores a campaign in a history.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "properties/campaign/journal.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

/// Inserts the rows of a campaign and its variants; returns the campaign's row ID.
[[nodiscard]] std::int64_t begin_campaign(Database& history, const CampaignConfig& setting,
                                          const std::string& uid, const std::string& started);

/// Reads the configuration of a campaign, including its shard and the paths of its variants.
[[nodiscard]] CampaignConfig read_setting(const Database& history, std::int64_t campaign);

class Recorder final : public properties::campaign::Journal {
 public:
  /// Keeps a reference to the history.
  Recorder(Database& history, std::int64_t campaign) : history_(history), campaign_(campaign) {}

  std::map<std::int64_t, properties::campaign::CaseResult> started(
      const std::string& variant) override;
  void record(std::span<const properties::campaign::IndexedResult> results) override;
  std::optional<properties::campaign::FindingReport> recorded_report(
      const properties::campaign::FailureRecord& record) override;
  void record(const properties::campaign::FailureRecord& record,
              const properties::campaign::FindingReport& report) override;
  void finished(const properties::campaign::VariantReport& report,
                const properties::generate::Combinations& combinations) override;
  void finished(const properties::campaign::CampaignReport& report) override;

 private:
  Database& history_;
  std::int64_t campaign_;
  std::int64_t variant_ = 0;
};

}  // namespace warpcheck::workflows::history
