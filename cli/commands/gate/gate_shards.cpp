#include "cli/commands/gate/gate_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/run/campaign_config.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {

using workflows::targets::Target;

GateShards::GateShards(const GateCommand& command, std::span<const Target> targets)
    : command_(command), targets_(targets) {
  if (is_shard(command)) history_.emplace(command.common.history);
  if (!command.from.empty()) whole_.emplace(command.from);
}

std::unique_ptr<campaign::Journal> GateShards::journal_of(
    std::span<const contract::Variant> variants, const device::Device& device,
    const campaign::CampaignOptions& options) {
  if (!history_ && !whole_) return nullptr;
  std::vector<Target> targets;
  for (const contract::Variant& variant : variants) {
    targets.push_back(
        *std::find_if(targets_.begin(), targets_.end(), [&variant](const Target& target) {
          return target.variant.contract.name == variant.contract.name;
        }));
  }
  const auto config = campaign_config(command_.common, options, device, targets);
  if (whole_) return whole_->journal_of(config);
  return std::move(history_->record_shard(config).journal);
}

bool is_shard(const GateCommand& command) { return !command.common.history.empty(); }

void require_shardable(const GateCommand& command, const workflows::gate::GatePolicy& policy) {
  if (!is_shard(command) && command.from.empty()) return;
  workflows::gate::require_no_time_limit(policy);
  if (is_shard(command) && command.common.campaign.shard.of == 1) {
    throw request_error("found --shard 1/1: run the whole gate without --shard and --history");
  }
  if (is_shard(command) && !workflows::settings::report_files(command.common).empty()) {
    throw request_error("found a report of one shard: `gate --merge` writes those of the gate");
  }
}

int finish_shard(const GateCommand& command, const campaign::CampaignReport& totals) {
  console(command.common) << fmt::format(
                                 "shard {}/{}: {} cases; `gate --merge` decides from all shards\n",
                                 command.common.campaign.shard.number,
                                 command.common.campaign.shard.of, totals.cases)
                          << std::flush;
  return totals.failed > 0 || !totals.errors.empty() ? kFindings : kPassed;
}

}  // namespace warpcheck::cli
