#include "workflows/history/merge.hpp"

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
#include "properties/case/errors.hpp"
#include "workflows/history/recorder.hpp"
#include "workflows/history/schema.hpp"

namespace warpcheck::workflows::history {
namespace {

constexpr std::string_view kCampaignColumns =
    "uid, identity, shard, shards, started, state, seconds, nvcc, revision";
constexpr std::string_view kVariantColumns =
    "position, name, source_hash, path, verdict, cases, mistrusted, "
    "power, "  // retired spelling
    "combinations, lines, seconds, properties";
constexpr std::string_view kCaseColumns =
    "number, line, excluded_by, verdict, "
    "power, "  // retired spelling
    "shows_terms, error_over_bound, suspects, notes, levels, seconds, unsupported, executed, "
    "properties";
constexpr std::string_view kFindingColumns = "number, note, ordinal, class, smallest, report";

[[noreturn]] void unmergeable(const std::string& file, std::string message) {
  throw file_error(file, std::move(message));
}

/// Copies one row at a time: a query's first `columns` values, and before them, where there is one,
/// the number of the row that the copy belongs to.
class Copier {
 public:
  Copier(Database& to, std::string_view table, std::string_view columns,
         std::string_view belongs_to = {})
      : to_(to),
        columns_(1 + static_cast<int>(std::count(columns.begin(), columns.end(), ','))),
        insert_(to, fmt::format("INSERT INTO {}({}{}) VALUES({}?{})", table, columns,
                                belongs_to.empty() ? "" : fmt::format(", {}", belongs_to),
                                repeated("?,", columns_ - 1), belongs_to.empty() ? "" : ",?")) {}

  std::int64_t operator()(const Query& row, std::optional<std::int64_t> owner = {}) {
    for (int i = 0; i < columns_; ++i) insert_.bind_from(row, i);
    if (owner) insert_.bind(*owner);
    insert_.run();
    return to_.last_row();
  }

 private:
  static std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  }

  Database& to_;
  int columns_;
  Query insert_;
};

void copy_owned(const Database& from, Database& to, std::string_view table,
                std::string_view columns, std::int64_t variant, std::int64_t as) {
  Copier copy(to, table, columns, "variant");
  Query rows(from, fmt::format("SELECT {} FROM {} WHERE variant=?", columns, table));
  rows.bind(variant);
  while (rows.next()) copy(rows, as);
}

void copy_variants(const Database& from, Database& to, std::int64_t campaign, std::int64_t as) {
  Copier copy(to, "variants", kVariantColumns, "campaign");
  Query rows(from, fmt::format("SELECT {}, id FROM variants WHERE campaign=? ORDER BY position",
                               kVariantColumns));
  rows.bind(campaign);
  while (rows.next()) {
    const std::int64_t variant = rows.integer(rows.columns() - 1);
    const std::int64_t copied = copy(rows, as);
    copy_owned(from, to, "cases", kCaseColumns, variant, copied);
    copy_owned(from, to, "findings", kFindingColumns, variant, copied);
  }
}

/// The rows of `from` whose campaigns `to` lacks. A campaign is known by its uid.
void copy_campaigns(const Database& from, Database& to, Merged& merged) {
  Copier copy(to, "campaigns", kCampaignColumns);
  Query known(to, "SELECT 1 FROM campaigns WHERE uid=?");
  Query rows(from, fmt::format("SELECT {}, id FROM campaigns ORDER BY id", kCampaignColumns));
  while (rows.next()) {
    const bool there = known.bind(rows.text(0)).next();
    if (there) {
      known.run();
      ++merged.duplicates;
      continue;
    }
    const std::int64_t copied = copy(rows);
    copy_variants(from, to, rows.integer(rows.columns() - 1), copied);
    ++merged.copied;
  }
}

struct ShardRow {
  std::int64_t campaign = 0;
  std::string uid;
  std::string started;
  bool finished = false;
};

/// The shards of one campaign by number; of several runs of one shard, the last finished one.
struct Shards {
  std::int64_t of = 0;
  std::map<std::int64_t, ShardRow> rows;
  std::vector<std::int64_t> others;  // runs that gave way to another of the same shard
};

std::map<std::string, Shards> shards_by_identity(const Database& history) {
  std::map<std::string, Shards> all;
  Query rows(history,
             "SELECT identity, shards, shard, id, uid, started, state='finished' FROM campaigns "
             "WHERE shards>1 ORDER BY state='finished', started, id");
  while (rows.next()) {
    Shards& shards = all[rows.text(0)];
    shards.of = rows.integer(1);
    ShardRow& row = shards.rows[rows.integer(2)];
    if (row.campaign != 0) shards.others.push_back(row.campaign);
    row = {rows.integer(3), rows.text(4), rows.text(5), rows.integer(6) != 0};
  }
  return all;
}

/// "3, 5 to 7"
std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
    if (last > i) text += fmt::format(" to {}", numbers[last]);
    i = last;
  }
  return text;
}

void demand_all(const std::string& file, const Shards& shards) {
  std::vector<std::int64_t> missing;
  std::vector<std::int64_t> unfinished;
  for (std::int64_t number = 1; number <= shards.of; ++number) {
    const auto row = shards.rows.find(number);
    if (row == shards.rows.end()) {
      missing.push_back(number);
    } else if (!row->second.finished) {
      unfinished.push_back(number);
    }
  }
  const std::string& started = shards.rows.begin()->second.started;
  if (!missing.empty()) {
    unmergeable(file,
                fmt::format("of the campaign of {} UTC in {} shards, shard {} is missing (those "
                            "run by another build, or on other sources, do not count)",
                            started, shards.of, listed(missing)));
  }
  if (!unfinished.empty()) {
    unmergeable(file,
                fmt::format("of the campaign of {} UTC in {} shards, shard {} was not finished: "
                            "`warpcheck check --resume` finishes it",
                            started, shards.of, listed(unfinished)));
  }
}

/// A case, and the row of the shard's variant that has it.
struct Recorded {
  properties::campaign::CaseResult result;
  std::int64_t variant = 0;
};

struct VariantRows {
  std::map<std::int64_t, Recorded> cases;           // of all shards, in their order
  properties::generate::Combinations combinations;  // as known after the last of them
  std::optional<properties::coverage::ExecutedLines> lines;
  std::vector<std::string> properties;  // that apply
  double seconds = 0.0;
};

/// A line is unexecuted if no shard executed it.
void add_lines(std::optional<properties::coverage::ExecutedLines>& sum,
               const std::optional<properties::coverage::ExecutedLines>& part) {
  if (!sum || !part) {
    if (part) sum = part;
    return;
  }
  std::vector<properties::coverage::SourceLine> both;
  std::set_intersection(sum->unexecuted.begin(), sum->unexecuted.end(), part->unexecuted.begin(),
                        part->unexecuted.end(), std::back_inserter(both));
  sum->unexecuted = std::move(both);
  sum->required = std::max(sum->required, part->required);
}

VariantRows rows_of(const Database& history, const Shards& shards, const std::string& name) {
  VariantRows all;
  std::int64_t last = -1;
  for (const auto& [number, shard] : shards.rows) {
    Query row(history, "SELECT id, ifnull(seconds, 0) FROM variants WHERE campaign=? AND name=?");
    row.bind(shard.campaign).bind(name);
    if (!row.next()) continue;  // demanded by the identity: a damaged file, whose cases are missing
    const std::int64_t variant = row.integer(0);
    all.seconds += row.real(1);
    add_lines(all.lines, read_lines(history, variant));
    all.properties = read_properties(history, variant);
    for (auto& [index, result] : read_cases(history, variant)) {
      all.cases[index] = {std::move(result), variant};
    }
    // Later cases extend the combinations: those of shards with fewer cases are a prefix.
    const std::int64_t now_last = all.cases.empty() ? -1 : all.cases.rbegin()->first;
    if (now_last > last) all.combinations = read_combinations(history, variant);
    last = now_last;
  }
  return all;
}

/// A text of other levels than there are would be an index past the end.
bool fits(const std::string& levels, const properties::generate::Combinations& combinations) {
  const properties::generate::Row row = properties::generate::row_from(levels);
  if (row.size() != combinations.levels.size()) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] && *row[i] >= combinations.levels[i]) return false;
  }
  return true;
}

properties::campaign::VariantReport join_variant(const Database& history, const Shards& shards,
                                                 const std::string& name,
                                                 const CampaignConfig& setting,
                                                 properties::campaign::Journal& journal) {
  VariantRows rows = rows_of(history, shards, name);
  const auto recorder = journal.open(name);
  properties::campaign::Tally tally;
  std::vector<properties::campaign::IndexedResult> counted;
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
  properties::campaign::VariantReport report =
      tally.report(rows.combinations, [&](const properties::campaign::FailureRecord& record) {
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
  report.device = setting.device;
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
  joined.setting.options.shard = {};
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
  for (const Database& source : sources) copy_campaigns(source, history, merged);
  join_all(history, merged);
  transaction.commit();
  return merged;
}

}  // namespace warpcheck::workflows::history
