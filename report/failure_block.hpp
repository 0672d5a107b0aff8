// A finding as text: at most 25 lines unless it is verbose, the class first, the command that
// replays it last.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "campaign/report.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

struct BlockStyle {
  std::size_t columns = 100;  // width at which sentences are wrapped; at least 40
  bool verbose = false;  // prints all details, also those that the class makes unlikely to help
};

/// `replay_command` and the case are printed unchanged, in one line. Lines end with a line feed.
/// The calls of the host, if there are any, follow the 25 lines.
[[nodiscard]] std::string failure_block(const campaign::FindingReport& report,
                                        std::string_view replay_command, const Paint& paint,
                                        const BlockStyle& style = {});

/// "17 more cases with the same cause"; empty if there is none.
[[nodiscard]] std::string more_cases_text(const campaign::FindingReport& report);

/// A note in one line: its class, both places of a race, and the number of accesses.
[[nodiscard]] std::string note_line(const campaign::FindingReport& report);

}  // namespace warpcheck::report
