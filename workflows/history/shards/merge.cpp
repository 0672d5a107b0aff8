#include "workflows/history/shards/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/content_hash.hpp"
#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "campaign/case/errors.hpp"
#include "workflows/history/recorder.hpp"
#include "workflows/history/schema.hpp"
#include "workflows/history/shards/copy_campaigns.hpp"
#include "workflows/history/shards/shard_rows.hpp"

namespace warpcheck::workflows::history {
namespace {

[[noreturn]] void unmergeable(const std::string& file, std::string message) {
  throw file_error(file, std::move(message));
}

/// A text with a level that does not exist would be an index past the end.
bool fits(const std::string& levels, const campaign::generate::Combinations& combinations) {
  const campaign::generate::Row row = campaign::generate::row_from(levels);
  if (row.size() != combinations.levels.size()) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] && *row[i] >= combinations.levels[i]) return false;
  }
  return true;
}

campaign::VariantReport join_variant(const Database& history, const Shards& shards,
                                     const std::string& name, const CampaignConfig& setting,
                                     campaign::Journal& journal) {
  VariantRows rows = rows_of(history, shards, name);
  const auto recorder = journal.open(name);
  campaign::Tally tally;
  std::vector<campaign::IndexedResult> counted;
  for (auto& [index, recorded] : rows.cases) {
    if (tally.ended()) break;
    if (recorded.result.was_run && !fits(recorded.result.levels, rows.combinations)) {
      unmergeable(
          history.path(),
          fmt::format("the history is damaged: case {} of {} has no such levels", index, name));
    }
    tally.add(index, recorded.result);
    counted.push_back({index, recorded.result});
  }
  recorder->record(counted);
  campaign::VariantReport report =
      tally.report(rows.combinations, [&](const campaign::FailureRecord& record) {
        const auto recorded_report =
            read_report(history, rows.cases.at(record.index).variant, record);
        if (!recorded_report) {
          unmergeable(history.path(),
                      fmt::format("the history is damaged: it lacks the finding of case {} "
                                  "of {}",
                                  record.index, name));
        }
        recorder->record(record, *recorded_report);
        return *recorded_report;
      });
  report.variant = name;
  report.device = setting.settings.device;
  report.seconds = rows.seconds;
  list_properties(report, rows.properties);
  if (rows.lines) require_lines(report, *rows.lines);
  recorder->finished(report, rows.combinations);
  return report;
}

void remove_campaign(Database& history, std::int64_t campaign) {
  Query(history, "DELETE FROM campaigns WHERE id=?").bind(campaign).run();
}

/// The same shards give the same uid: joined again, they are found to be a duplicate.
std::string joined_uid(const Shards& shards) {
  ContentHash hash;
  for (const auto& [number, shard] : shards.rows) hash.add(shard.uid);
  return hash.digits();
}

bool has_campaign(const Database& history, const std::string& uid) {
  return Query(history, "SELECT 1 FROM campaigns WHERE uid=?").bind(uid).next();
}

Joined join(Database& history, const Shards& shards, const std::string& uid) {
  Joined joined;
  std::string started;
  for (const auto& [number, shard] : shards.rows) {
    if (started.empty() || shard.started < started) started = shard.started;
  }
  joined.setting = read_setting(history, shards.rows.begin()->second.campaign);
  joined.setting.settings.campaign.shard = {};
  joined.campaign = begin_campaign(history, joined.setting, uid, started);
  Recorder recorder(history, joined.campaign);
  for (const VariantOrigin& variant : joined.setting.variants) {
    joined.report.add(join_variant(history, shards, variant.name, joined.setting, recorder));
    joined.report.seconds += joined.report.variants.back().seconds;
  }
  recorder.finished(joined.report);
  return joined;
}

void join_all(Database& history, Merged& merged) {
  for (const auto& [identity, shards] : shards_by_identity(history)) {
    demand_all(history.path(), shards);
    const std::string uid = joined_uid(shards);
    if (has_campaign(history, uid)) {
      ++merged.duplicates;
    } else {
      merged.joined.push_back(join(history, shards, uid));
    }
    for (const auto& [number, shard] : shards.rows) remove_campaign(history, shard.campaign);
    for (const std::int64_t campaign : shards.others) remove_campaign(history, campaign);
    merged.copied -= std::min(merged.copied, shards.rows.size() + shards.others.size());
  }
}

}  // namespace

Merged merge_histories(std::span<const std::string> from, const std::string& to) {
  for (const std::string& file : from) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, to, ignored)) {
      unmergeable(file, "found the history that the others are merged into among them");
    }
  }
  std::vector<Database> sources;
  for (const std::string& file : from) sources.push_back(open_history(file, false));
  Database history = open_history(to, true);
  Merged merged;
  Transaction transaction(history);
  for (const Database& source : sources) {
    const CopiedCampaigns copies = copy_campaigns(source, history);
    merged.copied += copies.copied;
    merged.duplicates += copies.duplicates;
  }
  join_all(history, merged);
  transaction.commit();
  return merged;
}

}  // namespace warpcheck::workflows::history
