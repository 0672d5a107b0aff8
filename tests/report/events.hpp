// Events of a campaign with fixed contents.
#pragma once

#include "properties/campaign/report.hpp"
#include "report/final_report.hpp"

namespace warpcheck::report {

/// A misaligned float4 load, shrunk, with every field that a faulting access has.
[[nodiscard]] properties::campaign::FindingReport misaligned_load();

/// Two writes of the same value, from two lines of one file.
[[nodiscard]] properties::campaign::FindingReport benign_race();

/// A wrong element of D, not shrunk, without a source line.
[[nodiscard]] properties::campaign::FindingReport wrong_result();

[[nodiscard]] properties::campaign::VariantReport passing_variant();
[[nodiscard]] properties::campaign::VariantReport failing_variant();
[[nodiscard]] properties::campaign::VariantReport mistrusted_variant();
/// Mistrusted because no case executed lines 41 to 44 and 52 of its source and line 7 of a header.
[[nodiscard]] properties::campaign::VariantReport variant_with_unexecuted_lines();

/// A variant that the virtual device cannot execute.
[[nodiscard]] properties::campaign::VariantReport unsupported_variant();

/// A variant as reported by `fuzz`, without sensitivity, level_coverage and pair_coverage.
[[nodiscard]] properties::campaign::VariantReport searched_variant();

/// The failing variant in a gate whose policy accepts its finding as known.
[[nodiscard]] properties::campaign::VariantReport known_variant();

/// A campaign of the first three; its replay commands are "replay <variant>".
[[nodiscard]] ReportContext small_campaign();

}  // namespace warpcheck::report
