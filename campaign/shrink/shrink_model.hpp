// Shrinking of a case, by the kind of operation.
#pragma once

#include <optional>
#include <vector>

#include "campaign/case/operation_model.hpp"
#include "campaign/shrink/shrink.hpp"

namespace warpcheck::campaign::shrink {

/// A case with one of its sizes changed to a degenerate one, with which many features of a failure
/// cannot be distinguished: no terms, one row, one column.
struct DegenerateCase {
  Case problem;
  bool same_outputs = false;  // the extents of the outputs are unchanged
};

/// See model_of().
class ShrinkModel {
 public:
  static const ShrinkModel& of_matrices();
  static const ShrinkModel& of_tensors();

  ShrinkModel() = default;
  ShrinkModel(const ShrinkModel&) = delete;
  ShrinkModel& operator=(const ShrinkModel&) = delete;
  virtual ~ShrinkModel() = default;

  /// See shrink().
  [[nodiscard]] virtual Case shrunk(const contract::Contract& contract, const Case& failing,
                                    const StillFails& fails, const ShrinkLimits& limits) const = 0;

  /// Returns the case `failing` with each degenerate size of the candidate alone that it has not
  /// itself. The same size has the same place in each result; the others are empty.
  [[nodiscard]] virtual std::vector<std::optional<DegenerateCase>> degenerate_cases(
      const contract::Contract& contract, const Case& failing, const Case& candidate) const = 0;
};

}  // namespace warpcheck::campaign::shrink
