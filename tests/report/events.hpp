// Events as a campaign would tell them, with fixed contents.
#pragma once

#include "properties/campaign/campaign.hpp"
#include "report/final_report.hpp"

namespace warpcheck::report {

/// A misaligned float4 load, shrunk; every field that a fault has is filled.
[[nodiscard]] properties::campaign::FindingReport misaligned_load();

/// Two writes of the same value, from two lines of one file.
[[nodiscard]] properties::campaign::FindingReport benign_race();

/// A wrong element of D, not shrunk, without a source line.
[[nodiscard]] properties::campaign::FindingReport wrong_result();

[[nodiscard]] properties::campaign::VariantReport passing_variant();
[[nodiscard]] properties::campaign::VariantReport failing_variant();
[[nodiscard]] properties::campaign::VariantReport mistrusted_variant();

/// As `fuzz` tells of a variant: neither asked nor power nor pairs were measured.
[[nodiscard]] properties::campaign::VariantReport searched_variant();

/// The failing variant in a gate whose policy knows its finding.
[[nodiscard]] properties::campaign::VariantReport known_variant();

/// A campaign of these three, whose replay commands are "replay <variant>".
[[nodiscard]] ReportContext small_campaign();

}  // namespace warpcheck::report
