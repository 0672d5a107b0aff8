// What coverage lacks, in a line.
#pragma once

#include <string>

#include "properties/coverage/source_coverage.hpp"
#include "workflows/coverage/minimum_coverage.hpp"

namespace warpcheck::report {

using workflows::coverage::MinimumCoverage;

/// "39 of 40 lines (97.5 %), 23 of 26 branches (88.4 %)"; percentages are rounded down.
[[nodiscard]] std::string covered(const properties::coverage::SourceCoverage& coverage);

/// "mine.cu:12,14-16 tile.cuh:3": lines that no case executed, and lines some of whose branches
/// went one way or none; empty where there are none.
[[nodiscard]] std::string never_executed(const properties::coverage::SourceCoverage& coverage);
[[nodiscard]] std::string one_way_only(const properties::coverage::SourceCoverage& coverage);

/// "lines 97.5 % (never executed: mine.cu:12,14-16), branches 50.0 % (one way only: mine.cu:9)", of
/// what there is too little; empty where it is enough.
[[nodiscard]] std::string shortfall(const properties::coverage::SourceCoverage& coverage,
                                    const MinimumCoverage& minimum);

}  // namespace warpcheck::report
