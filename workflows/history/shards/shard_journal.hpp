// The results of all shards of campaigns, from which the whole campaigns are reported.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "campaign/journal.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

class ShardHistories {
 public:
  /// Copies the campaigns of these histories to a temporary one. Throws the errors of History.
  explicit ShardHistories(std::span<const std::string> files);

  /// Returns a journal of the whole campaign that has recorded the cases and findings of its
  /// shards, and stores nothing. It refers to this object. Throws InputError if a shard is missing
  /// or unfinished.
  [[nodiscard]] std::unique_ptr<campaign::Journal> journal_of(const CampaignConfig& whole);

 private:
  Database history_;
  std::string files_;  // names in error messages
  std::mutex mutex_;   // guards the history
};

}  // namespace warpcheck::workflows::history
