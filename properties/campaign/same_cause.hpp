// The condition under which shrinking accepts a simpler case: it fails for the same cause.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "properties/campaign/minimize_and_confirm.hpp"
#include "properties/shrink/signature.hpp"

namespace warpcheck::properties::campaign {

/// A function object for shrink::StillFails.
///
/// Degenerate sizes (k = 0, one row, one column) make many features of a failure indistinguishable,
/// so that another defect could take its place unnoticed. Before such a size is accepted, it
/// alone is changed in the original case, where the failure is best recognized: that case must
/// fail for the same cause with k = 0, and must not fail for another cause with one row or column.
class SameCause {
 public:
  /// Keeps references to its arguments.
  SameCause(const RunContext& context, const Failure& failure, std::int64_t& launches);

  [[nodiscard]] bool operator()(const Case& candidate);

  /// Returns the signature of the cause: the original one, refined by each accepted case.
  [[nodiscard]] const shrink::Signature& cause() const { return known_; }

  /// Returns failures of candidates that have another cause, one for each cause.
  [[nodiscard]] const std::vector<Failure>& others() const { return others_; }

 private:
  enum class Outcome { passes, same_cause, unclear, other_cause };

  /// Runs the candidate and sets `signature` if it fails for the cause `known`.
  Outcome run(const Case& candidate, const shrink::Signature& known, shrink::Signature& signature);
  [[nodiscard]] bool is_runnable(const Case& candidate) const;
  /// Returns true if the degenerate sizes of the candidate keep the cause in the original case.
  [[nodiscard]] bool keeps_cause(const Case& candidate);
  /// The same for the original case with one size changed.
  [[nodiscard]] bool keeps_cause_alone(const Case& changed);
  void record(const Case& candidate, const std::vector<run::Evidence>& evidence);

  const RunContext& context_;
  const Failure& failure_;
  std::int64_t& launches_;
  shrink::Signature original_;
  shrink::Signature known_;                           // refined by each accepted case
  std::array<std::optional<bool>, 3> keeps_cause_{};  // of each degenerate size
  std::vector<Failure> others_;
};

}  // namespace warpcheck::properties::campaign
