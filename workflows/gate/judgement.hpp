// Evaluation of a gate: the outcomes of its variants compared with its policy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/campaign.hpp"
#include "workflows/gate/policy.hpp"
#include "workflows/prove/prove.hpp"

namespace warpcheck::workflows::gate {

/// Result of one variant on one device.
struct GateOutcome {
  GateRules rules;
  campaign::VariantReport report;
  std::optional<double> mutation_score;            // share; empty: not required or not measured
  std::optional<prove::VariantResult> proof = {};  // empty: not required, or of another device
};

enum class BreachKind {
  finding,                 // a finding is not a known failure
  mistrusted,              // passed, but the data cannot expose a defect
  unsupported,             // no other finding, but the device could not execute a case
  sensitivity,             // too little
  not_proved,              // a property is refuted or unknown
  no_case,                 // no case of it ran, which shows nothing
  coverage,                // too little
  coverage_not_counted,    // the device is not the virtual one, or no launch completed
  mutation_score,          // too low
  mutation_score_unknown,  // required, but missing although the variant passes
  known_failure_gone,      // no finding matches it
  known_failure_expired,   // its last day has passed
  no_contract,             // a .cu file has no contract, although the policy requires one
};

struct Breach {
  BreachKind kind = BreachKind::finding;
  // Index of the known failure, of the file without a contract or else of the outcome.
  std::size_t subject = 0;
};

enum class DemandKind {
  verdict,  // no finding but known ones; the pass can be trusted; the device can execute it
  cases,    // counts cases: at least one ran
  sensitivity,
  coverage,
  mutation_score,
  proof,          // each required property is proved
  known_failure,  // still occurs, and has not expired
  contract,       // a .cu file has a contract
};

/// One thing that the policy demands of an outcome, of a known failure or of a file.
struct Demand {
  DemandKind kind = DemandKind::verdict;
  std::size_t subject = 0;           // index, see Breach::subject
  std::vector<BreachKind> breaches;  // empty: it is met
};

/// The results that a gate evaluates.
struct GateResults {
  std::span<const GateOutcome> outcomes;
  std::span<const std::string> without_contract = {};  // .cu files
  // False if a target could not be checked, so that a known failure may belong to it.
  bool complete = true;
};

/// A finding that a known failure explains.
struct KnownFinding {
  std::size_t known = 0;  // index in the policy
  std::size_t outcome = 0;
  std::size_t finding = 0;  // index in the outcome's report
};

struct Judgement {
  // The outcomes come first, in their order, then the known failures, then the files.
  std::vector<Demand> demands;
  std::vector<Breach> breaches;  // breaches of the demands
  std::vector<KnownFinding> known;

  [[nodiscard]] bool passed() const { return breaches.empty(); }
  /// True if it did not pass only because a device could not execute a case.
  [[nodiscard]] bool is_undecided() const;
};

/// A known failure is valid through its last day. An expired one still explains its findings, so
/// that it is reported once. The mutation score is checked on the first outcome of a variant.
[[nodiscard]] Judgement judge(const GatePolicy& policy, const GateResults& results,
                              const Date& today);

/// Returns the index of the first known failure that explains a finding; empty if there is none.
[[nodiscard]] std::optional<std::size_t> known_failure(const GatePolicy& policy,
                                                       std::string_view variant,
                                                       std::string_view property,
                                                       const Finding& finding);

}  // namespace warpcheck::workflows::gate
