// The rows of the shards of one campaign.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/run_case.hpp"
#include "workflows/history/schema.hpp"

namespace warpcheck::workflows::history {

struct ShardRow {
  std::int64_t campaign = 0;
  std::string uid;
  std::string started;
  bool finished = false;
};

/// The shards of one campaign, keyed by number. If a shard has several runs, the last finished one
/// counts.
struct Shards {
  std::int64_t of = 0;
  std::map<std::int64_t, ShardRow> rows;
  std::vector<std::int64_t> others;  // older or unfinished runs of the same shards
};

[[nodiscard]] std::map<std::string, Shards> shards_by_identity(const Database& history);

/// Throws InputError, with the name of the file, if a shard is missing or unfinished.
void demand_all(const std::string& file, const Shards& shards);

/// A case, and the row of the shard's variant that has it.
struct Recorded {
  campaign::CaseResult result;
  std::int64_t variant = 0;
};

struct VariantRows {
  std::map<std::int64_t, Recorded> cases;         // cases of all shards, keyed by their index
  campaign::generate::Combinations combinations;  // state after the last case
  std::optional<campaign::coverage::ExecutedLines> lines;
  std::vector<std::string> properties;  // properties that apply
  double seconds = 0.0;
};

[[nodiscard]] VariantRows rows_of(const Database& history, const Shards& shards,
                                  const std::string& variant);

}  // namespace warpcheck::workflows::history
