// What overflow in the accumulator and in D's type makes of an element.
#pragma once

#include "reference/effective.hpp"

namespace warpcheck::reference {

class OverflowModel {
 public:
  /// `growth` of sums, as RoundingModel has it.
  OverflowModel(const Gemm& problem, const Effective& effective, double growth);

  /// Of the accumulator.
  [[nodiscard]] double threshold() const { return threshold_; }

  /// Whether no partial sum can overflow, whatever the order and wherever alpha is applied.
  [[nodiscard]] bool harmless(const Magnitudes& m) const;

  /// Adjusts an exact value, possibly not finite by its operands, and its tolerance.
  void apply(const Magnitudes& m, double& value, double& tolerance) const;

 private:
  double threshold_;
  double safe_;  // the same with room for the rounding errors of a partial sum
  double outside_;
  double alpha_;
  double own_;      // relative error of a sum in double, and of its sum of magnitudes
  double unscale_;  // the factor by which alpha shrinks a sum, at most 1
};

}  // namespace warpcheck::reference
