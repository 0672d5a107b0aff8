// The tables of a history and the rows of a campaign.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/journal.hpp"
#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

/// Opens a history. If `create` is set, a missing or empty file becomes a history. Throws
/// InputError if the file belongs to another program or has a newer schema version than is
/// supported.
[[nodiscard]] Database open_history(const std::string& path, bool create);

/// Reads the rows of `cases`, by the number of the case.
[[nodiscard]] std::map<std::int64_t, campaign::CaseResult> read_cases(const Database& history,
                                                                      std::int64_t variant);
/// Reads the combinations of a finished row of `variants`.
[[nodiscard]] campaign::generate::Combinations read_combinations(const Database& history,
                                                                 std::int64_t variant);

/// Reads the lines of a finished row of `variants`; empty if they were not measured.
[[nodiscard]] std::optional<campaign::coverage::ExecutedLines> read_lines(const Database& history,
                                                                          std::int64_t variant);

/// Reads the names of the properties of a finished row of `variants`; empty if not recorded.
[[nodiscard]] std::vector<std::string> read_properties(const Database& history,
                                                       std::int64_t variant);

/// Reads the coverage of a row of `cases`; empty if none was stored.
[[nodiscard]] device::Coverage read_coverage(const Database& history, std::int64_t variant,
                                             std::int64_t number);

void write_case(Database& history, std::int64_t variant, const campaign::IndexedResult& result);

/// Reads a row of `findings`; empty if there is none.
[[nodiscard]] std::optional<campaign::FindingReport> read_report(
    const Database& history, std::int64_t variant, const campaign::FailureRecord& record);
void write_report(Database& history, std::int64_t variant, const campaign::FailureRecord& record,
                  const campaign::FindingReport& report);

}  // namespace warpcheck::workflows::history
