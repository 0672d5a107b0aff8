// The histories of a gate in shards.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "cli/options/arguments.hpp"
#include "workflows/gate/gate_run.hpp"
#include "workflows/history/history.hpp"
#include "workflows/history/shards/shard_journal.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {

/// The journals of a gate's campaigns: those of the command's shard, or of all shards that it
/// merges. Another gate has none.
class GateShards {
 public:
  /// Keeps references to the command and the targets.
  GateShards(const GateCommand& command, std::span<const workflows::targets::Target> targets);

  [[nodiscard]] std::unique_ptr<campaign::Journal> journal_of(
      std::span<const contract::Variant> variants, const device::Device& device,
      const campaign::CampaignOptions& options);

 private:
  const GateCommand& command_;
  std::span<const workflows::targets::Target> targets_;
  std::optional<workflows::history::History> history_;       // history of one shard
  std::optional<workflows::history::ShardHistories> whole_;  // histories of all shards
};

[[nodiscard]] bool is_shard(const GateCommand& command);

/// Throws InputError if the command is a part of a gate that has to be run as a whole.
void require_shardable(const GateCommand& command, const workflows::gate::GatePolicy& policy);

/// Prints the end of a shard. Returns 1 if the merge will report a finding or an error, else 0.
[[nodiscard]] int finish_shard(const GateCommand& command, const campaign::CampaignReport& totals);

}  // namespace warpcheck::cli
