// Names that help to understand a finding, by the kind of operation.
#pragma once

#include <string>

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

  /// Names of an operand in expressions of the contract.
  struct Names {
    std::string buffer;   // "a"
    std::string leading;  // the distance of its lines: "lda", or "k" if A is always tight
  };
  [[nodiscard]] virtual Names names(const contract::Contract& contract, const Case& problem,
                                    const Placement& place) const = 0;
};

}  // namespace warpcheck::properties::campaign
