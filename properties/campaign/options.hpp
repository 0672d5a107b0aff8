// Options of one campaign.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/finding.hpp"
#include "properties/campaign/shard.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::campaign {

/// A case that failed before.
struct Regression {
  Case problem;       // as its property needs it
  std::string where;  // it is kept: "regressions/mine.cases:4"
};
using Regressions = std::map<std::string, std::vector<Regression>>;  // by variant

struct CampaignOptions {
  std::int64_t cases = 100;     // per variant
  double budget_seconds = 0.0;  // of the whole campaign; 0: none. Where it ends a campaign, the
                                // number of cases depends on the machine, their contents don't
  std::int64_t max_size = 0;    // of m, n and k, where the domain allows it; 0: none
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // names, as properties() lists them; empty: all
  unsigned jobs = 0;                    // host threads; 0: one per processor
  bool shrink = true;
  double shrink_seconds = 10.0;        // per finding
  std::int64_t shrink_launches = 400;  // per finding
  bool strict_races = false;           // benign races are findings, not notes
  bool map_errors = false;             // findings about values get a map; their cases run again
  Shard shard;                         // of the cases
  Regressions regressions;             // asked first, by the first shard
  // Whether a finding is awaited: told like any other, but a variant's campaign goes on as if there
  // were none. Null: none is.
  std::function<bool(std::string_view variant, std::string_view property, const Finding&)> awaited;
  // Of the source. What a journal has of cases tells nothing of it: a campaign that is resumed
  // covers too little.
  bool coverage = false;
};

}  // namespace warpcheck::properties::campaign
