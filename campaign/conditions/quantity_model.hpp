// The quantities of cases, by the kind of operation.
#pragma once

#include <vector>

#include "campaign/case/operation_model.hpp"
#include "campaign/conditions/quantity.hpp"

namespace warpcheck::campaign::conditions {

/// See model_of().
class QuantityModel {
 public:
  static const QuantityModel& of_matrices();
  static const QuantityModel& of_tensors();

  QuantityModel() = default;
  QuantityModel(const QuantityModel&) = delete;
  QuantityModel& operator=(const QuantityModel&) = delete;
  virtual ~QuantityModel() = default;

  /// See quantities().
  [[nodiscard]] virtual std::vector<Quantity> of_contract(
      const contract::Contract& contract) const = 0;

  /// Returns the quantities of normalized cases, of which there is at least one, that need no
  /// contract.
  [[nodiscard]] virtual std::vector<Quantity> of_cases(const std::vector<Case>& cases) const = 0;
};

}  // namespace warpcheck::campaign::conditions
