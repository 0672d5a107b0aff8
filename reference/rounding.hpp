// How far rounding may take an element from its exact value.
#pragma once

#include "reference/effective.hpp"

namespace warpcheck::reference {

/// How far rounding may take an element from its exact value.
class RoundingModel {
 public:
  RoundingModel(const Gemm& problem, const Effective& effective);

  [[nodiscard]] bool statistical() const { return statistical_; }
  [[nodiscard]] double growth() const { return growth_; }

  /// `sum_error` is the error of the sum of products alone, at most growth() * S.
  [[nodiscard]] double tolerance(double value, const Magnitudes& magnitudes,
                                 double sum_error) const;

 private:
  /// Of operations whose results are subnormal.
  void add_underflow(const Gemm& problem, const Effective& effective);
  /// Of what tensor cores cut off.
  void add_cut_off(const Gemm& problem, const Effective& effective);

  double unit_;
  double unit_out_;
  double alpha_;
  double growth_ = 0.0;
  double underflow_ = 0.0;
  double own_ = 0.0;         // of the reference: relative to the magnitudes summed
  double own_result_ = 0.0;  // and to the result
  int sum_roundings_ = 0;
  int c_roundings_ = 0;
  bool statistical_ = false;
};

}  // namespace warpcheck::reference
