// The tolerance of an element for rounding.
#pragma once

#include "reference/effective.hpp"

namespace warpcheck::reference {

/// Bounds the distance between a computed element and its exact value.
class RoundingModel {
 public:
  RoundingModel(const Gemm& problem, const Effective& effective);

  /// The largest growth() that a problem may have, whatever its operands.
  [[nodiscard]] static double largest_growth(const Gemm& problem, const Effective& effective);

  [[nodiscard]] bool statistical() const { return statistical_; }
  [[nodiscard]] double growth() const { return growth_; }

  /// The tolerance of one element. `sum_error` is the error of the sum of products alone, at most
  /// growth() * S.
  [[nodiscard]] double tolerance(double value, const Magnitudes& magnitudes,
                                 double sum_error) const;

 private:
  /// Adds the error of operations with subnormal results.
  void add_underflow(const Gemm& problem, const Effective& effective);
  /// Adds the error of truncation in tensor cores.
  void add_truncation(const Gemm& problem, const Effective& effective);

  double unit_;
  double unit_out_;
  double alpha_;
  double growth_ = 0.0;
  double underflow_ = 0.0;
  double own_ = 0.0;         // error of the reference, relative to the sum of magnitudes
  double own_result_ = 0.0;  // and relative to the result
  int sum_roundings_ = 0;
  int c_roundings_ = 0;
  bool statistical_ = false;
};

}  // namespace warpcheck::reference
