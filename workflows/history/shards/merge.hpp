// Merging of histories, and joining of the shards of a campaign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workflows/history/campaign_config.hpp"

namespace warpcheck::workflows::history {

/// A campaign joined from all of its shards.
struct Joined {
  std::int64_t campaign = 0;  // row ID
  CampaignConfig setting;
  campaign::CampaignReport report;  // equal to that of the unsharded campaign
};

struct Merged {
  std::size_t copied = 0;      // campaigns that are not shards of a joined one
  std::size_t duplicates = 0;  // campaigns that `to` already contains
  std::vector<Joined> joined;
};

/// Adds the campaigns of `from` to the history `to`, which is created if it is missing, and joins
/// shards of one campaign: tallies the cases of all shards in order and takes each finding from the
/// shard that ran its case. Changes everything or nothing. Throws InputError if a shard is missing
/// or unfinished, or if `to` is one of `from`, and the errors of History.
[[nodiscard]] Merged merge_histories(std::span<const std::string> from, const std::string& to);

}  // namespace warpcheck::workflows::history
