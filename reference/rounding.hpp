// The tolerance of an element for rounding.
#pragma once

#include <cmath>
#include <cstdint>

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
  /// The number of terms for CertainSums.
  [[nodiscard]] std::int64_t certain_terms() const { return certain_terms_; }

  /// The tolerance of one element. `sum_error` is the error of the sum of products alone, at most
  /// growth() * S.
  [[nodiscard]] double tolerance(double value, const Magnitudes& m, double sum_error) const {
    const double sum = alpha_ * m.sum;
    const double epilogue = unit_ * (sum_roundings_ * (1.0 + growth_) * sum + c_roundings_ * m.c);
    // growth_ * m.c: if the accumulator starts from beta C, every rounding affects it.
    const double kernel = alpha_ * sum_error + growth_ * m.c + epilogue + underflow_;
    const double bound = (unit_out_ + own_result_) * std::abs(value) + (1.0 + unit_out_) * kernel +
                         own_ * (sum + m.c);
    return bound *
           (1.0 + 0x1p-20);  // covers products of roundoffs, and the rounding of S and of the bound
  }

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
  std::int64_t certain_terms_ = 0;
  int sum_roundings_ = 0;
  int c_roundings_ = 0;
  bool statistical_ = false;
};

}  // namespace warpcheck::reference
