// Reasons for which a pass is mistrusted.
#pragma once

#include <span>
#include <string>

#include "campaign/report.hpp"

namespace warpcheck::report {

/// Returns "mistrusted: it passed, but the data could not have exposed a defect"; empty if the
/// variant is not mistrusted.
[[nodiscard]] std::string mistrusted_pass(const campaign::VariantReport& report);

/// The reason alone: "lines 41-44, 52 of mine.cu were never executed", "the data could not have
/// exposed a defect", or both; empty if the variant is not mistrusted.
[[nodiscard]] std::string mistrust_text(const campaign::VariantReport& report);

/// Returns "lines 41-44, 52 of mine.cu, line 7 of tile.cuh" for lines in ascending order, at most
/// 12 ranges.
[[nodiscard]] std::string lines_text(std::span<const campaign::coverage::SourceLine> lines);

}  // namespace warpcheck::report
