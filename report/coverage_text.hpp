// Coverage in one line: its shares, and the lines that it lacks.
#pragma once

#include <string>

#include "campaign/coverage/source_coverage.hpp"
#include "campaign/report.hpp"
#include "workflows/coverage/minimum_coverage.hpp"

namespace warpcheck::report {

using workflows::coverage::MinimumCoverage;

/// "39 of 40 lines (97.5 %), 23 of 26 branches (88.4 %)"; percentages are rounded down.
[[nodiscard]] std::string covered(const campaign::coverage::SourceCoverage& coverage);

/// "mine.cu:12,14-16 tile.cuh:3": lines that no case executed, and lines with a branch that took
/// one direction or none; empty if there are none.
[[nodiscard]] std::string never_executed(const campaign::coverage::SourceCoverage& coverage);
[[nodiscard]] std::string one_direction_only(const campaign::coverage::SourceCoverage& coverage);

/// "lines 97.5 % (never executed: mine.cu:12,14-16), branches 50.0 % (one direction only:
/// mine.cu:9)": the shares below the minimum; empty if both reach it.
[[nodiscard]] std::string shortfall(const campaign::coverage::SourceCoverage& coverage,
                                    const MinimumCoverage& minimum);

/// The same for a variant; if its coverage is not known, the reason.
[[nodiscard]] std::string shortfall(const campaign::VariantReport& variant,
                                    const MinimumCoverage& minimum);

}  // namespace warpcheck::report
