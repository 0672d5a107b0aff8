// Verdicts and totals of a campaign, the same in all formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "properties/campaign/report.hpp"

namespace warpcheck::report {

/// The finding that represents a variant with findings: the first one that no policy of a gate
/// accepts as known, or else the first.
[[nodiscard]] const properties::campaign::FindingReport& leading_finding(
    const properties::campaign::VariantReport& report);

/// "pass", "mistrusted", "unsupported", or the class of the leading finding.
[[nodiscard]] std::string_view verdict(const properties::campaign::VariantReport& report);

/// True if a gate's policy accepts all findings of the variant as known, so that none is a failure.
[[nodiscard]] bool is_known(const properties::campaign::VariantReport& report);

/// Shares of a variant, from 0 to 1; empty: not measured. A search measures none of them; a replay
/// measures only the sensitivity.
struct Measures {
  std::optional<double> sensitivity;     // of the terms of all sums
  std::optional<double> level_coverage;  // of the factors' levels
  std::optional<double> pair_coverage;   // of the pairs of levels of two factors
};
[[nodiscard]] Measures measures(const properties::campaign::VariantReport& report);

/// Variants of a campaign, each counted once.
struct Totals {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t mistrusted = 0;
  std::int64_t unsupported = 0;
  std::int64_t known = 0;  // see is_known()

  /// "2 passed, 1 failed, 0 mistrusted", and if there are any ", 1 unsupported" and ", 1 known".
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] Totals totals(const properties::campaign::CampaignReport& campaign);

}  // namespace warpcheck::report
