// Shrinking of a case, by the kind of operation.
#pragma once

#include "properties/case/operation_model.hpp"
#include "properties/shrink/shrink.hpp"

namespace warpcheck::properties::shrink {

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
};

}  // namespace warpcheck::properties::shrink
