// A file with all campaigns: their configurations, their results, and the cases of unfinished ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "campaign/journal.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/history/campaign_trend.hpp"
#include "workflows/history/drift.hpp"

namespace warpcheck::workflows::history {

class Database;

/// A campaign that is recorded in a history while it runs.
struct Recording {
  std::unique_ptr<campaign::Journal> journal;
  std::int64_t campaign = 0;  // row ID
  bool resumed = false;
  std::string sentence;  // names what is resumed, or why nothing is; empty: not requested
};

class History {
 public:
  /// Opens the file; creates a missing one if `create` is set. This and all other functions throw
  /// InputError if the file is not a history or is damaged, and EnvironmentError if the system
  /// refuses.
  explicit History(const std::string& path, bool create = true);
  History(History&&) noexcept;
  ~History();

  /// Continues the last unfinished campaign with the same configuration if `resume` is set: its
  /// recorded cases are not run again. Otherwise, or if there is none, begins a new campaign. The
  /// result refers to this history.
  [[nodiscard]] Recording record(const CampaignConfig& setting, bool resume);

  /// Continues the last campaign with the same configuration, also if it is finished: then no case
  /// runs again. The file belongs to one shard.
  [[nodiscard]] Recording record_shard(const CampaignConfig& setting);

  /// Returns the drifts of a finished campaign that is not a shard: variants that pass, but have
  /// markedly larger errors than in the last campaigns on another version of their source.
  [[nodiscard]] std::vector<Drift> drifts(std::int64_t campaign) const;

  /// Returns for each variant of a campaign the results of the last 16 finished campaigns on the
  /// same device, including this one and excluding shards.
  [[nodiscard]] CampaignTrend pasts(std::int64_t campaign) const;

 private:
  /// Continues the campaign of row `before`, or begins one if it is 0.
  [[nodiscard]] Recording recording_of(std::int64_t before, const CampaignConfig& setting);

  std::unique_ptr<Database> database_;
};

}  // namespace warpcheck::workflows::history
