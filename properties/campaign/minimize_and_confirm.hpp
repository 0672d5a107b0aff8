// From a failing case to a finding as a person wants it: smallest, confirmed, located.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "properties/campaign/campaign.hpp"
#include "properties/checks/property.hpp"

namespace warpcheck::properties::campaign {

/// A case that led to a finding.
struct Failure {
  Case problem;
  const checks::Property* property = nullptr;
  run::Evidence evidence;
  std::size_t number = 0;  // among the suspects, or the notes, that the campaign's case led to
};

/// Whether a finding is another sight of the one in question: same class and, where both name a
/// source line, same line; of races also where the two lines are the same the other way round.
[[nodiscard]] bool same_finding(const Finding& one, const Finding& other);

struct MinimizeLimits {
  bool shrink = true;
  double seconds = 10.0;
  std::int64_t launches = 400;  // cases tried while shrinking
};

/// What runs of a variant's cases need.
struct RunContext {
  const contract::Variant& variant;
  device::Device& device;
  const device::Program& program;
  std::function<void(const Case&)> before_launch;
  bool strict_races = false;  // benign races are findings too
  bool limits_only = false;   // launches that are not refused need not be run
  bool map_errors = false;    // evidence of wrong values has a map
};

/// Whether the device has buffers for the case: one that was changed may have lines so far apart
/// that none hold them, or none of this device.
[[nodiscard]] bool can_be_laid_out(const RunContext& bench, const Case& problem);

/// Asks the case's property, once.
[[nodiscard]] checks::PropertyResult ask(const RunContext& bench, const checks::Property& property,
                                         const Case& problem, bool locate,
                                         std::int64_t* launches = nullptr);

/// The report of a finding as it showed on `problem`, its excerpt included.
[[nodiscard]] FindingReport report_of(const RunContext& bench, const checks::Property& property,
                                      const Case& problem, const run::Evidence& evidence);

/// Shrinks, runs the smallest case three times (ten times when one of these is clean, for the
/// rate), and locates what is wrong on it. A smallest case that never fails again gives way to the
/// original.
[[nodiscard]] FindingReport minimize_and_confirm(const RunContext& bench, const Failure& suspect,
                                                 const MinimizeLimits& limits);

/// The map of the suspect's errors: of its case, or of a larger one that shows the same finding
/// (see map_cases.hpp). Empty where the finding is about no values, or is not seen again.
[[nodiscard]] std::optional<judge::ErrorMap> error_map(const RunContext& bench,
                                                       const Failure& suspect);

}  // namespace warpcheck::properties::campaign
