// Cases and conditions that help to understand a finding, by the kind of operation.
#pragma once

#include <string>
#include <vector>

#include "properties/case/layout.hpp"
#include "properties/case/operation_model.hpp"

namespace warpcheck::properties::campaign {

/// See model_of().
class HintModel {
 public:
  static const HintModel& of_matrices();
  static const HintModel& of_tensors();

  HintModel() = default;
  HintModel(const HintModel&) = delete;
  HintModel& operator=(const HintModel&) = delete;
  virtual ~HintModel() = default;

  /// Returns the cases to try, in order, for the error map of a finding on `failing`. If the output
  /// has more than one tile in both directions, this is `failing` alone. Otherwise, larger cases
  /// with tight strides come first: beyond whole tiles in both directions, then only in the
  /// direction that was too small, then whole tiles only; `failing` is the last. The cases may lie
  /// outside the contract's domain.
  [[nodiscard]] virtual std::vector<Case> cases_to_map(const contract::Contract& contract,
                                                       const Case& failing) const = 0;

  /// Names of an operand in expressions of the contract.
  struct Names {
    std::string buffer;   // "a"
    std::string leading;  // the distance of its lines: "lda", or "k" if A is always tight
  };
  [[nodiscard]] virtual Names names(const contract::Contract& contract, const Case& problem,
                                    const Placement& place) const = 0;
};

}  // namespace warpcheck::properties::campaign
