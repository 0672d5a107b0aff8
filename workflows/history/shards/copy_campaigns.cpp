#include "workflows/history/shards/copy_campaigns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
    "properties, coverage";
constexpr std::string_view kFindingColumns = "number, note, ordinal, class, smallest, report";

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

}  // namespace

CopiedCampaigns copy_campaigns(const Database& from, Database& to) {
  CopiedCampaigns result;
  Copier copy(to, "campaigns", kCampaignColumns);
  Query known(to, "SELECT 1 FROM campaigns WHERE uid=?");
  Query rows(from, fmt::format("SELECT {}, id FROM campaigns ORDER BY id", kCampaignColumns));
  while (rows.next()) {
    const bool there = known.bind(rows.text(0)).next();
    if (there) {
      known.run();
      ++result.duplicates;
      continue;
    }
    const std::int64_t copied = copy(rows);
    copy_variants(from, to, rows.integer(rows.columns() - 1), copied);
    ++result.copied;
  }
  return result;
}

}  // namespace warpcheck::workflows::history
