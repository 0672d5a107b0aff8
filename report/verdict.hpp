// Verdicts and totals of a campaign, the same in all formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "campaign/report.hpp"
#include "report/requirement.hpp"

namespace warpcheck::report {

/// "pass", "mistrusted", "unsupported", or the class of the first finding that no policy
/// of a gate accepts as known, or else of the first.
[[nodiscard]] std::string_view verdict(const campaign::VariantReport& report);

/// True if a gate's policy accepts all findings of the variant as known, so that none is a failure.
[[nodiscard]] bool is_known(const campaign::VariantReport& report);

/// Shares of a variant, from 0 to 1; empty: not measured. A search measures none of them; a replay
/// measures only the sensitivity.
struct Measures {
  std::optional<double> sensitivity;     // sensitivity to the terms of all sums
  std::optional<double> level_coverage;  // share of the factors' levels
  std::optional<double> pair_coverage;   // share of the pairs of levels of two factors
};
[[nodiscard]] Measures measures(const campaign::VariantReport& report);

/// Variants of a campaign, each counted once.
struct Totals {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t mistrusted = 0;
  std::int64_t unsupported = 0;
  std::int64_t known = 0;        // see is_known()
  std::int64_t not_checked = 0;  // targets with errors
  std::int64_t not_met = 0;      // requirements, see Requirements::open()

  /// "2 passed, 1 failed, 0 mistrusted", and if there are any ", 1 unsupported", ", 1 known",
  /// ", 1 not checked" and ", 1 requirement not met".
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] Totals totals(const campaign::CampaignReport& campaign,
                            const Requirements& requirements = {});

/// The one verdict of a command, from which its exit status and every report follow. error: a
/// target could not be checked; undecided: the device cannot execute some variants, and the others
/// passed, or this machine could not run the campaign.
enum class Outcome : std::uint8_t { passed, failed, error, undecided };
[[nodiscard]] std::string_view name(Outcome outcome);
[[nodiscard]] Outcome outcome_of(const campaign::CampaignReport& campaign,
                                 const Requirements& requirements);

}  // namespace warpcheck::report
