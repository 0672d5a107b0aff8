// A finding as text: at most 25 lines, the class first, the command that replays it last.
#pragma once

#include <string>
#include <string_view>

#include "properties/campaign/report.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

/// `replay_command` is printed unchanged. Lines end with a line feed.
[[nodiscard]] std::string failure_block(const properties::campaign::FindingReport& report,
                                        std::string_view replay_command, const Paint& paint);

/// "if this is intended, add beta_zero = "reads" to the contract"; empty if there is no advice.
[[nodiscard]] std::string advice_text(const properties::campaign::Advice& advice);

/// "17 more cases with the same cause"; empty if there is none.
[[nodiscard]] std::string more_cases_text(const properties::campaign::FindingReport& report);

/// A note in one line: its class, both places of a race, and the number of accesses.
[[nodiscard]] std::string note_line(const properties::campaign::FindingReport& report);

}  // namespace warpcheck::report
