// Other contracts of a kernel, by the kind of operation.
#pragma once

#include <cstddef>
#include <vector>

#include "campaign/case/operation_model.hpp"
#include "campaign/interpret/interpret.hpp"

namespace warpcheck::campaign::interpret {

/// See model_of().
class InterpretationModel {
 public:
  static const InterpretationModel& of_matrices();
  static const InterpretationModel& of_tensors();

  InterpretationModel() = default;
  InterpretationModel(const InterpretationModel&) = delete;
  InterpretationModel& operator=(const InterpretationModel&) = delete;
  virtual ~InterpretationModel() = default;

  /// See interpretations().
  [[nodiscard]] virtual std::vector<Interpretation> interpretations(
      const contract::Contract& contract) const = 0;

  /// Returns `count` small cases in which a wrong layout or a wrong order of arguments shows; fewer
  /// if the domain has no more.
  [[nodiscard]] virtual std::vector<Case> suitable_cases(const contract::Contract& contract,
                                                         std::size_t count) const = 0;
};

}  // namespace warpcheck::campaign::interpret
