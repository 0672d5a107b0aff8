// Events of a campaign with fixed contents.
#pragma once

#include "campaign/report.hpp"
#include "report/final_report.hpp"

namespace warpcheck::report {

/// A misaligned float4 load, shrunk, with every field that a faulting access has.
[[nodiscard]] campaign::FindingReport misaligned_load();

/// Two writes of the same value, from two lines of one file.
[[nodiscard]] campaign::FindingReport benign_race();

/// A wrong element of D, not shrunk, without a source line.
[[nodiscard]] campaign::FindingReport wrong_result();

[[nodiscard]] campaign::VariantReport passing_variant();
[[nodiscard]] campaign::VariantReport failing_variant();
[[nodiscard]] campaign::VariantReport mistrusted_variant();
/// Mistrusted because no case executed lines 41 to 44 and 52 of its source and line 7 of a header.
[[nodiscard]] campaign::VariantReport variant_with_unexecuted_lines();

/// A variant that the virtual device cannot execute.
[[nodiscard]] campaign::VariantReport unsupported_variant();

/// A variant as reported by `fuzz`, without sensitivity, level_coverage and pair_coverage.
[[nodiscard]] campaign::VariantReport searched_variant();

/// The failing variant in a gate whose policy accepts its finding as known.
[[nodiscard]] campaign::VariantReport known_variant();

/// A campaign of the first three; its replay commands are "replay <variant>".
[[nodiscard]] ReportContext small_campaign();

}  // namespace warpcheck::report
