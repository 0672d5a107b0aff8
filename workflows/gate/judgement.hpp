// Whether a gate is passed: the outcomes of its variants held against its policy.
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

/// What came of one variant on one device.
struct GateOutcome {
  GateRules rules;
  properties::campaign::VariantReport report;
  std::optional<double> mutation_score;  // share; where it is demanded and could be had
};

enum class BreachKind {
  finding,                 // that is not known
  mistrusted,              // passed, but the data could not have shown a defect
  sensitivity,             // too little
  coverage,                // too little
  coverage_not_counted,    // on another device than the virtual one, or no launch completed
  mutation_score,          // too low
  mutation_score_unknown,  // demanded, and not there though the variant passes
  known_failure_gone,      // nothing shows it any more
  known_failure_expired,   // its last day is over
};

struct Breach {
  BreachKind kind = BreachKind::finding;
  std::size_t subject = 0;  // the known failure, where the breach is of one; else the outcome
};

/// A finding that a known failure accounts for.
struct KnownSight {
  std::size_t known = 0;  // its number in the policy
  std::size_t outcome = 0;
  std::size_t finding = 0;  // of the outcome's report
};

struct Judgement {
  std::vector<Breach> breaches;  // of the outcomes in their order, then of the known failures
  std::vector<KnownSight> known;

  [[nodiscard]] bool passed() const { return breaches.empty(); }
};

/// `today`: a known failure counts through the day that it names. One that is past it still
/// accounts for its findings, so that it is told once. The first outcome of a variant is held
/// against its mutation score.
[[nodiscard]] Judgement judge(const GatePolicy& policy, std::span<const GateOutcome> outcomes,
                              const Date& today);

/// The number of the first known failure that accounts for a finding; empty: none does.
[[nodiscard]] std::optional<std::size_t> known_failure(const GatePolicy& policy,
                                                       std::string_view variant,
                                                       std::string_view property,
                                                       const Finding& finding);

}  // namespace warpcheck::workflows::gate
