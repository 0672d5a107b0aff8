// Evaluation of a gate: the outcomes of its variants compared with its policy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/campaign/campaign.hpp"
#include "workflows/gate/policy.hpp"

namespace warpcheck::workflows::gate {

/// Result of one variant on one device.
struct GateOutcome {
  GateRules rules;
  properties::campaign::VariantReport report;
  std::optional<double> mutation_score;  // share; if the policy requires it and it was measured
};

enum class BreachKind {
  finding,                 // not a known failure
  mistrusted,              // passed, but the data cannot expose a defect
  unsupported,             // no other finding, but the device could not execute a case
  sensitivity,             // too little
  coverage,                // too little
  coverage_not_counted,    // not on the virtual device, or no launch completed
  mutation_score,          // too low
  mutation_score_unknown,  // required, but missing although the variant passes
  known_failure_gone,      // no finding matches it
  known_failure_expired,   // its last day has passed
};

struct Breach {
  BreachKind kind = BreachKind::finding;
  std::size_t subject = 0;  // index of the known failure or of the outcome, depending on the kind
};

/// A finding that a known failure explains.
struct KnownFinding {
  std::size_t known = 0;  // its number in the policy
  std::size_t outcome = 0;
  std::size_t finding = 0;  // of the outcome's report
};

struct Judgement {
  std::vector<Breach> breaches;  // of the outcomes in their order, then of the known failures
  std::vector<KnownFinding> known;

  [[nodiscard]] bool passed() const { return breaches.empty(); }
  /// True if it did not pass only because a device could not execute a case.
  [[nodiscard]] bool is_undecided() const;
};

/// A known failure is valid through its last day. An expired one still explains its findings, so
/// that it is reported once. The mutation score is checked on the first outcome of a variant.
[[nodiscard]] Judgement judge(const GatePolicy& policy, std::span<const GateOutcome> outcomes,
                              const Date& today);

/// Returns the index of the first known failure that explains a finding; empty if there is none.
[[nodiscard]] std::optional<std::size_t> known_failure(const GatePolicy& policy,
                                                       std::string_view variant,
                                                       std::string_view property,
                                                       const Finding& finding);

}  // namespace warpcheck::workflows::gate
