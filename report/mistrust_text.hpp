// Reasons for which a pass is mistrusted.
#pragma once

#include <string>

#include "campaign/report.hpp"

namespace warpcheck::report {

/// Returns "mistrusted: it passed, but the data could not have exposed a defect"; empty if the
/// variant is not mistrusted.
[[nodiscard]] std::string mistrusted_pass(const campaign::VariantReport& report);

/// The reason alone: "lines 41-44, 52 of mine.cu were never executed", "the data could not have
/// exposed a defect", or both; empty if the variant is not mistrusted.
[[nodiscard]] std::string mistrust_text(const campaign::VariantReport& report);

}  // namespace warpcheck::report
