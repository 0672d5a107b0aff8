// The evidence of a finding besides its message, as sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/report.hpp"

namespace warpcheck::report {

/// The note on a smallest case that depends on the machine.
inline constexpr std::string_view kNotFullyShrunk =
    "not fully shrunk: the search for a smaller case took too long on this machine";

/// Returns "line 20", or "line 20 of tile.cuh" if that is another file than the finding's.
[[nodiscard]] std::string line_text(const SourcePlace& source, const SourcePlace& finding);

/// Returns "barrier 0", "a change of 4-byte element 0 of workspace"; empty without an event.
[[nodiscard]] std::string event_text(const WaitEvent& event);

/// Returns the lines of a race in the order of the program: "line 22 and line 19 of the next
/// iteration".
[[nodiscard]] std::string unordered_lines(const Finding& race);

/// Returns the condition of the failure, the origin of an undefined value, the places of other
/// threads, the findings of the same cause, and that the case is not fully shrunk. Each is lower
/// case, without a final period.
[[nodiscard]] std::vector<std::string> evidence_notes(const campaign::FindingReport& report);

}  // namespace warpcheck::report
