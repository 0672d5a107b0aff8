#include "workflows/history/shards/shard_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/files.hpp"

namespace warpcheck::workflows::history {
namespace {

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

/// A line is unexecuted if no shard executed it.
void add_lines(std::optional<campaign::coverage::ExecutedLines>& sum,
               const std::optional<campaign::coverage::ExecutedLines>& part) {
  if (!sum || !part) {
    if (part) sum = part;
    return;
  }
  std::vector<campaign::coverage::SourceLine> both;
  std::set_intersection(sum->unexecuted.begin(), sum->unexecuted.end(), part->unexecuted.begin(),
                        part->unexecuted.end(), std::back_inserter(both));
  sum->unexecuted = std::move(both);
  sum->required = std::max(sum->required, part->required);
}

}  // namespace

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
    throw file_error(
        file, fmt::format("of the campaign of {} UTC in {} shards, shard {} is missing (those "
                          "run by another build, or on other sources, do not count)",
                          started, shards.of, listed(missing)));
  }
  if (!unfinished.empty()) {
    throw file_error(
        file, fmt::format("of the campaign of {} UTC in {} shards, shard {} was not finished: "
                          "run it again with its history (`check --resume`, `submit --resume`)",
                          started, shards.of, listed(unfinished)));
  }
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

}  // namespace warpcheck::workflows::history
