// Minimization of a failing case, confirmation of its finding, and its source place.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/shrink/signature.hpp"
#include "properties/law.hpp"

namespace warpcheck::campaign {

/// A case that led to a finding.
struct Failure {
  Case problem;
  const properties::Law* property = nullptr;
  run::Evidence evidence;
  std::size_t number = 0;  // index among the failures or notes of the same case of the campaign
};

/// Returns true if two findings have the same class and, if both have a source line, the same line.
/// Races with the two lines exchanged are also the same finding.
[[nodiscard]] bool same_finding(const Finding& one, const Finding& other);

/// Returns true if the device can hold the buffers of the case. A changed case may have leading
/// dimensions that exceed the buffer limit, or that only a sparse device can hold.
[[nodiscard]] bool can_be_laid_out(const run::Context& context, const Case& problem);

/// Returns the report of a finding on `problem`, including the source excerpt.
[[nodiscard]] FindingReport report_of(const run::Context& context, const properties::Law& property,
                                      const Case& problem, const run::Evidence& evidence);

/// Shrinks the case within the cause of its failure, then confirms the finding in three runs of the
/// smallest case and locates its source line. If one of these runs passes, ten runs measure the
/// failure rate. If the smallest case never fails again, the original case takes its place.
/// Appends failures of other causes, which simpler cases show, to `others`.
[[nodiscard]] FindingReport minimize_and_confirm(const run::Context& context,
                                                 const Failure& failure, const RunOptions& options,
                                                 std::vector<Failure>* others = nullptr);

/// Returns the signature of the finding on its smallest case.
[[nodiscard]] shrink::Signature signature_of(const FindingReport& report);

/// Returns the error map of the failing case, or of a larger case with the same finding (see
/// judge/map_cases.hpp). Empty if the finding is not about values or does not occur again.
[[nodiscard]] std::optional<judge::ErrorMap> error_map(const run::Context& context,
                                                       const Failure& failure);

}  // namespace warpcheck::campaign
