// The tables of a history, and the rows that a campaign's parts are kept in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/campaign/journal.hpp"
#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

/// Opens a history. Where `create`, one that is not there, or an empty file, becomes one. Throws
/// InputError where the file is another program's, or of a newer version than this program knows.
[[nodiscard]] Database open_history(const std::string& path, bool create);

/// Rows of `cases`, by the number of the case.
[[nodiscard]] std::map<std::int64_t, properties::campaign::CaseResult> read_cases(
    const Database& history, std::int64_t variant);
/// Of a finished row of `variants`.
[[nodiscard]] properties::generate::Combinations read_combinations(const Database& history,
                                                                   std::int64_t variant);

void write_case(Database& history, std::int64_t variant,
                const properties::campaign::IndexedResult& result);

/// A row of `findings`; empty where there is none.
[[nodiscard]] std::optional<properties::campaign::FindingReport> read_report(
    const Database& history, std::int64_t variant,
    const properties::campaign::FailureRecord& record);
void write_report(Database& history, std::int64_t variant,
                  const properties::campaign::FailureRecord& record,
                  const properties::campaign::FindingReport& report);

}  // namespace warpcheck::workflows::history
