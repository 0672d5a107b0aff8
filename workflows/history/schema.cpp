#include "workflows/history/schema.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "workflows/history/encode.hpp"
#include "workflows/history/encode_lines.hpp"

namespace warpcheck::workflows::history {
namespace {

constexpr std::int64_t kApplication = 0x77637068;  // "wcph"
// 1: without `unsupported`, `executed` and `lines`; 2: without `properties`, `nvcc` and `revision`
// 3: without `coverage`
constexpr std::int64_t kVersion = 4;

// The row of a case is written after its chunk of cases, the row of a finding after it is
// minimized, and the last columns of a variant at its end. `identity` is JSON that determines the
// cases and their results: campaigns with the same identity are runs of the same campaign.
constexpr std::string_view kTables = R"sql(
CREATE TABLE campaigns(
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  shard INTEGER NOT NULL,
  shards INTEGER NOT NULL,
  started TEXT NOT NULL,              -- UTC
  state TEXT NOT NULL,                -- running, finished
  seconds REAL,
  nvcc TEXT,                          -- its versions
  revision TEXT);                     -- of the sources' repository
CREATE TABLE variants(
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  source_hash TEXT NOT NULL,
  path TEXT NOT NULL,                 -- of the target that it was found under; empty: built in
  verdict TEXT,
  cases INTEGER,
  mistrusted INTEGER,
  power REAL,                         -- sensitivity (retired spelling)
  combinations TEXT,                  -- of factors' levels: those that the domain contains
  lines TEXT,                         -- of the source: how many are required, those not executed
  seconds REAL,
  properties TEXT,                    -- that apply, with cases and seconds
  UNIQUE(campaign, name));
CREATE TABLE cases(
  variant INTEGER NOT NULL REFERENCES variants(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,            -- in the campaign, from 0
  line TEXT NOT NULL,
  excluded_by TEXT,
  verdict TEXT NOT NULL,              -- pass, mistrusted, unsupported, finding class, not asked (retired spelling)
  power REAL,                         -- sensitivity (retired spelling)
  shows_terms INTEGER NOT NULL,
  error_over_bound REAL,
  suspects TEXT,                      -- those that no earlier case showed
  notes TEXT,
  levels TEXT NOT NULL,               -- of the case's factors
  executed TEXT,                      -- parts of the program that no earlier case executed
  seconds REAL NOT NULL,
  unsupported TEXT,                   -- the form that the device could not execute
  properties TEXT,                    -- that were checked
  coverage TEXT,                      -- of a shard's case, if requested
  PRIMARY KEY(variant, number)) WITHOUT ROWID;
CREATE TABLE findings(
  variant INTEGER NOT NULL REFERENCES variants(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,            -- of the case
  note INTEGER NOT NULL,              -- 1: reported, but no failure
  ordinal INTEGER NOT NULL,           -- among the findings, or the notes, of the case
  class TEXT NOT NULL,
  smallest TEXT NOT NULL,
  report TEXT NOT NULL,
  PRIMARY KEY(variant, number, note, ordinal)) WITHOUT ROWID;
CREATE INDEX variants_by_name ON variants(name);
)sql";

std::int64_t pragma(const Database& history, std::string_view name) {
  Query query(history, fmt::format("PRAGMA {}", name));
  return query.next() ? query.integer(0) : 0;
}

bool is_empty(const Database& history) {
  Query query(history, "SELECT count(*) FROM sqlite_master");
  return query.next() && query.integer(0) == 0;
}

[[noreturn]] void wrong(const Database& history, std::string message) {
  throw file_error(history.path(), std::move(message));
}

void make_tables(Database& history) {
  Transaction transaction(history);
  if (is_empty(history)) {  // still: another process may have been quicker
    history.run(std::string(kTables));
    history.run(
        fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplication, kVersion));
  }
  transaction.commit();
}

/// Adds what histories of earlier versions lack.
void upgrade(Database& history) {
  Transaction transaction(history);  // another process may have been quicker
  if (pragma(history, "user_version") == 1) {
    history.run(
        "ALTER TABLE variants ADD COLUMN lines TEXT;"
        "ALTER TABLE cases ADD COLUMN unsupported TEXT;"
        "ALTER TABLE cases ADD COLUMN executed TEXT;"
        "PRAGMA user_version=2");
  }
  if (pragma(history, "user_version") == 2) {
    history.run(
        "ALTER TABLE campaigns ADD COLUMN nvcc TEXT;"
        "ALTER TABLE campaigns ADD COLUMN revision TEXT;"
        "ALTER TABLE variants ADD COLUMN properties TEXT;"
        "ALTER TABLE cases ADD COLUMN properties TEXT;"
        "PRAGMA user_version=3");
  }
  if (pragma(history, "user_version") == 3) {
    history.run("ALTER TABLE cases ADD COLUMN coverage TEXT; PRAGMA user_version=4");
  }
  transaction.commit();
}

/// Messages show dates and names as they are. Another program may have written control characters.
void require_plain_texts(const Database& history) {
  if (Query(history, "SELECT 1 FROM campaigns WHERE started GLOB '*[^0-9: -]*'").next()) {
    wrong(history, "the history is damaged: the date of a campaign has other characters");
  }
  if (Query(history, "SELECT 1 FROM variants WHERE name GLOB '*[^A-Za-z0-9_.-]*'").next()) {
    wrong(history, "the history is damaged: the name of a variant has other characters");
  }
}

/// Calls `read` for a row. Invalid text in the row is reported as an error of the file.
template <typename Read>
auto located(const Database& history, std::int64_t variant, std::int64_t number, const Read& read) {
  try {
    return read();
  } catch (const std::runtime_error& error) {
    wrong(history, fmt::format("the history is damaged: case {} of variant row {}: {}", number,
                               variant, error.what()));
  }
}

std::string verdict_of(const campaign::CaseResult& result) {
  if (result.found) return std::string(name(*result.found));
  if (!result.was_run) return "not asked";  // retired spelling
  if (result.unsupported) return std::string(name(campaign::Verdict::unsupported));
  return std::string(
      name(result.sensitivity == 0.0 ? campaign::Verdict::mistrusted : campaign::Verdict::pass));
}

campaign::CaseResult case_of(const Query& row) {
  campaign::CaseResult result;
  result.generated.problem = campaign::parse_case(row.text(1));
  result.generated.excluded_by = row.maybe_text(2);
  const std::string verdict = row.text(3);
  result.was_run = verdict != "not asked";  // retired spelling
  result.found = finding_class(verdict);
  result.sensitivity = row.maybe_real(4);
  result.shows_terms = row.integer(5) != 0;
  result.error_over_bound = row.maybe_real(6);
  if (!row.is_null(7)) result.failures = decoded_failures(row.text(7));
  if (!row.is_null(8)) result.notes = decoded_failures(row.text(8));
  result.levels = row.text(9);
  result.seconds = row.real(10);
  if (!row.is_null(11)) result.unsupported = decoded_unsupported(row.text(11));
  if (!row.is_null(12)) result.executed = decoded_parts(row.text(12));
  if (!row.is_null(13)) result.checked = decoded_properties(row.text(13));
  return result;
}

std::optional<std::string> encoded_if_any(const std::vector<campaign::Failure>& failures) {
  return failures.empty() ? std::nullopt : std::optional(encoded(failures));
}

}  // namespace

Database open_history(const std::string& path, bool create) {
  Database history(path, create);
  if (is_empty(history) && pragma(history, "user_version") == 0) {
    if (!create) {
      wrong(history,
            "found an empty file, expected a history of warpcheck: the command that writes it was "
            "killed, run it again");
    }
    make_tables(history);
  }
  if (pragma(history, "application_id") != kApplication) {
    wrong(history, "found another program's database, expected a history of warpcheck");
  }
  std::int64_t version = pragma(history, "user_version");
  if (version > 0 && version < kVersion) upgrade(history);
  version = pragma(history, "user_version");
  if (version != kVersion) {
    wrong(history,
          fmt::format("found a history of version {}, expected version {}", version, kVersion));
  }
  require_plain_texts(history);
  history.run("PRAGMA foreign_keys=ON");
  return history;
}

std::map<std::int64_t, campaign::CaseResult> read_cases(const Database& history,
                                                        std::int64_t variant) {
  std::map<std::int64_t, campaign::CaseResult> cases;
  Query rows(history,
             "SELECT number, line, excluded_by, verdict, "
             "power, "  // retired spelling
             "shows_terms, error_over_bound, suspects, notes, levels, seconds, unsupported, "
             "executed, properties "
             "FROM cases WHERE variant=?");
  rows.bind(variant);
  while (rows.next()) {
    const std::int64_t number = rows.integer(0);
    cases[number] = located(history, variant, number, [&] { return case_of(rows); });
  }
  return cases;
}

campaign::generate::Combinations read_combinations(const Database& history, std::int64_t variant) {
  Query row(history, "SELECT combinations FROM variants WHERE id=?");
  row.bind(variant);
  if (!row.next()) return {};
  return located(history, variant, 0, [&] { return decoded_combinations(row.text(0)); });
}

void write_case(Database& history, std::int64_t variant, const campaign::IndexedResult& item) {
  const campaign::CaseResult& result = item.result;
  Query(history,
        "INSERT OR REPLACE INTO cases(variant, number, line, excluded_by, verdict, "
        "power, "  // retired spelling
        "shows_terms, error_over_bound, suspects, notes, levels, seconds, unsupported, executed, "
        "properties, coverage) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .bind(variant)
      .bind(item.index)
      .bind(campaign::to_line(result.generated.problem))
      .bind_maybe(result.generated.excluded_by)
      .bind(verdict_of(result))
      .bind_maybe(result.sensitivity)
      .bind(std::int64_t{result.shows_terms})
      .bind_maybe(result.error_over_bound)
      .bind_maybe(encoded_if_any(result.failures))
      .bind_maybe(encoded_if_any(result.notes))
      .bind(result.levels)
      .bind(result.seconds)
      .bind_maybe(result.unsupported ? std::optional(encoded(*result.unsupported)) : std::nullopt)
      .bind_maybe(result.executed.empty() ? std::nullopt : std::optional(encoded(result.executed)))
      .bind_maybe(result.checked.empty() ? std::nullopt : std::optional(encoded(result.checked)))
      .bind_maybe(item.coverage.blocks.empty() ? std::nullopt
                                               : std::optional(encoded(item.coverage)))
      .run();
}

device::Coverage read_coverage(const Database& history, std::int64_t variant, std::int64_t number) {
  Query row(history, "SELECT coverage FROM cases WHERE variant=? AND number=?");
  row.bind(variant).bind(number);
  if (!row.next() || row.is_null(0)) return {};
  return located(history, variant, number, [&] { return decoded_coverage(row.text(0)); });
}

std::optional<campaign::coverage::ExecutedLines> read_lines(const Database& history,
                                                            std::int64_t variant) {
  Query row(history, "SELECT lines FROM variants WHERE id=?");
  row.bind(variant);
  if (!row.next() || row.is_null(0)) return std::nullopt;
  return located(history, variant, 0, [&] { return decoded_lines(row.text(0)); });
}

std::vector<std::string> read_properties(const Database& history, std::int64_t variant) {
  Query row(history, "SELECT properties FROM variants WHERE id=?");
  row.bind(variant);
  if (!row.next() || row.is_null(0)) return {};
  return located(history, variant, 0, [&] {
    std::vector<std::string> names;
    for (const auto& one : decoded_properties(row.text(0))) names.push_back(one.name);
    return names;
  });
}

std::optional<campaign::FindingReport> read_report(const Database& history, std::int64_t variant,
                                                   const campaign::FailureRecord& record) {
  Query row(history,
            "SELECT report FROM findings WHERE variant=? AND number=? AND note=? AND ordinal=?");
  row.bind(variant)
      .bind(record.index)
      .bind(std::int64_t{record.note})
      .bind(static_cast<std::int64_t>(record.failure.number));
  if (!row.next()) return std::nullopt;
  return located(history, variant, record.index, [&] { return decoded_report(row.text(0)); });
}

void write_report(Database& history, std::int64_t variant, const campaign::FailureRecord& record,
                  const campaign::FindingReport& report) {
  Query(history,
        "INSERT OR REPLACE INTO findings(variant, number, note, ordinal, class, smallest, report) "
        "VALUES(?,?,?,?,?,?,?)")
      .bind(variant)
      .bind(record.index)
      .bind(std::int64_t{record.note})
      .bind(static_cast<std::int64_t>(record.failure.number))
      .bind(name(report.finding.kind))
      .bind(campaign::to_line(report.smallest))
      .bind(encoded(report))
      .run();
}

}  // namespace warpcheck::workflows::history
