// Every campaign in one file: what was asked, what came of it, and how far an unfinished one got.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "properties/campaign/journal.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/history/campaign_trend.hpp"
#include "workflows/history/drift.hpp"

namespace warpcheck::workflows::history {

class Database;

/// A campaign that is written into a history while it runs.
struct Recording {
  std::unique_ptr<properties::campaign::Journal> journal;
  std::int64_t campaign = 0;  // its row
  bool resumed = false;
  std::string sentence;  // what is resumed, or why nothing is; empty where nobody asked to
};

class History {
 public:
  /// Opens the file, and where `create`, makes it. Throws InputError where it is none of ours, or
  /// damaged; EnvironmentError where the machine refuses. So do all others.
  explicit History(const std::string& path, bool create = true);
  History(History&&) noexcept;
  ~History();

  /// Where `resume`, the last unfinished campaign of the same setting goes on: what is recorded of
  /// it is not run again. Otherwise, and where there is none, a new one begins. The history
  /// outlives what it returns.
  [[nodiscard]] Recording record(const CampaignConfig& setting, bool resume);

  /// Of a finished campaign that is no shard: variants that pass, and err markedly more than the
  /// last campaigns on another source of theirs did.
  [[nodiscard]] std::vector<Drift> drifts(std::int64_t campaign) const;

  /// Of each of a campaign's variants, what the last 16 finished campaigns on the same device that
  /// are no shards came to, itself included.
  [[nodiscard]] CampaignTrend pasts(std::int64_t campaign) const;

 private:
  std::unique_ptr<Database> database_;
};

}  // namespace warpcheck::workflows::history
