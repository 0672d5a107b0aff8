// The evidence of a finding besides its message, as sentences.
#pragma once

#include <string>
#include <vector>

#include "properties/campaign/report.hpp"

namespace warpcheck::report {

/// Returns "line 20", or "line 20 of tile.cuh" if that is another file than the finding's.
[[nodiscard]] std::string line_text(const SourcePlace& source, const SourcePlace& finding);

/// Returns the lines of a race in the order of the program: "line 22 and line 19 of the next
/// iteration".
[[nodiscard]] std::string unordered_lines(const Finding& race);

/// Returns the condition of the failure, the origin of an undefined value, the places of other
/// threads, and the findings of the same cause. Each is lower case, without a final period.
[[nodiscard]] std::vector<std::string> evidence_notes(
    const properties::campaign::FindingReport& report);

}  // namespace warpcheck::report
