// Results of earlier campaigns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::workflows::history {

/// A variant in one finished campaign.
struct TrendPoint {
  std::string started;  // the campaign, UTC
  std::string verdict;  // name(Verdict)
  std::int64_t cases = 0;
  std::optional<double>
      error_over_bound;  // the largest of all cases; empty if nothing was compared
  std::string source_hash;
};

using CampaignTrend =
    std::map<std::string, std::vector<TrendPoint>>;  // keyed by variant; the oldest campaign first

}  // namespace warpcheck::workflows::history
