// Overflow of an element in the accumulator and in the type of D.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/bounded.hpp"
#include "reference/effective.hpp"

namespace warpcheck::reference {

class OverflowModel {
 public:
  /// `growth`: the relative error of sums, as in RoundingModel.
  OverflowModel(const Gemm& problem, const Effective& effective, double growth);

  /// The overflow threshold of the accumulator.
  [[nodiscard]] double threshold() const { return threshold_; }

  /// True if no partial sum can overflow, in any order and with alpha applied first or last.
  [[nodiscard]] bool harmless(const Magnitudes& m) const {
    return std::max(m.sum, alpha_ * m.sum + m.c) < safe_;
  }

  /// True if a finite value becomes infinite in the type of D, whatever the error.
  [[nodiscard]] bool is_outside(double value, double tolerance) const {
    return std::abs(value) - tolerance >= outside_;
  }

  /// Adjusts an exact value and its tolerance. The value may be infinite or NaN by its operands.
  /// Returns the special values that a partial result which overflows may give instead.
  [[nodiscard]] Specials apply(const Magnitudes& m, double& value, double& tolerance) const;

 private:
  double threshold_;
  double safe_;     // the threshold minus the rounding errors of a partial sum
  double outside_;  // the overflow threshold of the type of D
  double alpha_;
  bool is_double_;
  double own_;      // relative error of the reference: of a sum and of its sum of magnitudes
  double unscale_;  // the factor by which alpha shrinks a sum, at most 1
};

}  // namespace warpcheck::reference
