// Histories joined, and the shards of a campaign made the campaign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workflows/history/campaign_config.hpp"

namespace warpcheck::workflows::history {

/// A campaign whose shards were all there.
struct Joined {
  std::int64_t campaign = 0;  // its row
  CampaignConfig setting;
  properties::campaign::CampaignReport report;  // what the campaign in one piece would have said
};

struct Merged {
  std::size_t copied = 0;      // campaigns that were none of joined's shards
  std::size_t duplicates = 0;  // campaigns that `to` had already
  std::vector<Joined> joined;
};

/// Adds the campaigns of `from` to the history `to`, which comes to be where it is not there, and
/// joins what are shards of one campaign: the cases of all of them are tallied in their order, as
/// if they were run now, and each finding is the one that the shard of its case investigated. All
/// or nothing. Throws InputError where a shard is missing or was not finished, where `to` is one of
/// `from`, and as History does.
[[nodiscard]] Merged merge_histories(std::span<const std::string> from, const std::string& to);

}  // namespace warpcheck::workflows::history
