// The condition under which shrinking accepts a simpler case: it fails for the same cause.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/run/runner.hpp"
#include "campaign/shrink/shrink.hpp"
#include "campaign/shrink/signature.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::shrink {

/// A case, and one piece of evidence that it fails.
struct FailingCase {
  Case problem;
  run::Evidence evidence;
};

/// The checks of a candidate that the condition needs.
struct CandidateChecks {
  std::function<bool(const Case&)> is_runnable;  // returns true if it is in the domain
  std::function<std::vector<run::Evidence>(const Case&)> evidence;  // runs it; empty: it passes
};

/// A function object for StillFails.
///
/// Degenerate sizes (no terms, one row, one column) make many features of a failure
/// indistinguishable, so that another defect could take its place unnoticed. Before such a size is
/// accepted, it alone is changed in the original case, where the failure is best recognized: that
/// case must fail for the same cause without terms, and must not fail for another cause with one
/// row or column.
class SameCause {
 public:
  /// Keeps a reference to the contract.
  SameCause(const contract::Contract& contract, FailingCase original, CandidateChecks checks);

  [[nodiscard]] bool operator()(const Case& candidate);

  /// Returns the signature of the cause: the original one, refined by each accepted case.
  [[nodiscard]] const Signature& cause() const { return known_; }

  /// Returns failures of candidates that have another cause, one for each cause.
  [[nodiscard]] const std::vector<FailingCase>& others() const { return others_; }

 private:
  enum class Outcome { passes, same_cause, unclear, other_cause };

  /// Runs the candidate and sets `signature` if it fails for the cause `known`.
  Outcome run(const Case& candidate, const Signature& known, Signature& signature);
  /// Returns true if the degenerate sizes of the candidate keep the cause in the original case.
  [[nodiscard]] bool keeps_cause(const Case& candidate);
  /// The same for the original case with one size changed.
  [[nodiscard]] bool keeps_cause_alone(const DegenerateCase& changed);
  void record(const Case& candidate, const std::vector<run::Evidence>& evidence);

  const contract::Contract& contract_;
  FailingCase failing_;
  CandidateChecks checks_;
  Signature original_;
  Signature known_;  // signature of the cause, refined by each accepted case
  // One result per degenerate size; empty: not determined.
  std::vector<std::optional<bool>> keeps_cause_;
  std::vector<FailingCase> others_;
};

}  // namespace warpcheck::campaign::shrink
