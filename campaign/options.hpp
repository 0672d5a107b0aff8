// Options of runs and of campaigns.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/size_limits.hpp"
#include "campaign/shard.hpp"
#include "device/finding.hpp"

namespace warpcheck::campaign {

/// A case that failed before.
struct Regression {
  Case problem;       // the case, adapted to its property
  std::string where;  // file and line of the case: "regressions/mine.cases:4"
};
using Regressions = std::map<std::string, std::vector<Regression>>;  // regressions by variant

/// Options that all workflows which run cases have in common.
struct RunOptions {
  std::uint64_t seed = 0;
  unsigned jobs = 0;                    // host threads; 0: one per processor
  std::vector<std::string> properties;  // names, as properties() lists them; empty: all
  Strictness strict;                    // notes that are findings
  generate::SizeLimits sizes = {};      // size limits of generated cases
  bool shrink = true;
  // Limits of the search for the smallest case of a finding: cases tried, and their work (see
  // run::WorkBudget). Only a search that takes unexpectedly long ends by the time.
  std::int64_t shrink_launches = 800;
  std::uint64_t shrink_work = std::uint64_t{1} << 26;
  double shrink_brake_seconds = 300.0;
};

struct CampaignOptions : RunOptions {
  std::int64_t cases = 100;  // cases per variant
  // Time limit of the whole campaign; 0: no limit. If the limit ends a campaign, the number of
  // cases depends on the machine, but their contents do not. A launch that still runs then is
  // stopped.
  double budget_seconds = 0.0;
  std::int64_t max_size = 0;  // largest m, n and k, if the domain allows it; 0: no limit
  bool confirm = true;        // failing cases run again, which shrinks them and locates their lines
  bool map_errors = false;    // findings about values have an error map; their cases run again
  Shard shard;                // the cases to run
  Regressions regressions;    // cases that the first shard runs first
  // Returns true for a known failure: the finding is reported, but does not end the campaign of its
  // variant. Null: no failure is known.
  std::function<bool(std::string_view variant, std::string_view property, const Finding&)>
      is_known_failure;
  // A pass is mistrusted if no case executes a line that ExecutedLinesReader requires. Applies to
  // campaigns that check matches-reference on a device with coverage; a shard only records its
  // lines.
  bool require_lines = true;
  // A variant whose domain, expressions or PTX are wrong is one of CampaignReport::errors, and the
  // others are checked. If false, the campaign throws its InputError.
  bool continue_after_errors = false;
  // Measure the source coverage. A journal stores it only for shards, so the cases that another
  // resumed campaign takes from its journal are not counted.
  bool coverage = false;
  // Set: stop the running launches and end the campaign. Variants without a case are not reported,
  // findings are not shrunk further, and the journal remains unfinished. Null: never set.
  const std::atomic<bool>* interrupted = nullptr;
};

}  // namespace warpcheck::campaign
