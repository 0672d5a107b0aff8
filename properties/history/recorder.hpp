// The journal of a campaign that is kept in a history.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "properties/history/database.hpp"
#include "properties/history/setting.hpp"
#include "properties/journal.hpp"

namespace warpcheck::properties {

/// Writes a campaign's row and those of its variants; returns the campaign's.
[[nodiscard]] std::int64_t begin_campaign(Database& history, const Setting& setting,
                                          const std::string& uid, const std::string& started);

/// Of a campaign's rows: its setting with its shard and its variants' paths.
[[nodiscard]] Setting read_setting(const Database& history, std::int64_t campaign);

class Recorder final : public Journal {
 public:
  /// The history outlives it.
  Recorder(Database& history, std::int64_t campaign) : history_(history), campaign_(campaign) {}

  std::map<std::int64_t, CaseResult> started(const std::string& variant) override;
  void record(std::span<const IndexedResult> results) override;
  std::optional<FindingReport> told(const Sight& sight) override;
  void record(const Sight& sight, const FindingReport& report) override;
  void finished(const VariantReport& report, const Combinations& combinations) override;
  void finished(const CampaignReport& report) override;

 private:
  Database& history_;
  std::int64_t campaign_;
  std::int64_t variant_ = 0;
};

}  // namespace warpcheck::properties
