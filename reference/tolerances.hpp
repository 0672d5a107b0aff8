// The tolerances of the elements of D.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/overflow.hpp"
#include "reference/rounding.hpp"

namespace warpcheck::reference {

/// Decides for each element whether every kernel computes it exactly, and bounds the error of the
/// others.
class Tolerances {
 public:
  /// No kernel rounds where |alpha| S + |beta c| + |bias| is at most `exact_limit`. Keeps
  /// references to its arguments.
  Tolerances(const Gemm& problem, const Effective& effective, const RoundingModel& rounding,
             const OverflowModel& overflow, double exact_limit);

  /// An exact element, or one that overflows, has a tolerance of 0.
  struct Row {
    std::int64_t number;
    std::span<double> values;      // exact ones are rounded to the type of D
    std::span<double> tolerances;  // are set; before, the sums of magnitudes of the products
    std::span<const double> prefix_errors;  // see running_error(); empty: not known
    UncertainElements* uncertain;           // receives those, whose tolerance is infinite
  };

  /// Returns true if some tolerance of the row is positive.
  [[nodiscard]] bool set(const Row& row);

 private:
  struct Elements;
  static bool set_ordinary(const Elements& elements);
  void set_each(const Row& row) const;
  void set_epilogue_magnitudes(std::int64_t row);

  const Gemm& problem_;
  const Effective& effective_;
  const RoundingModel& rounding_;
  const OverflowModel& overflow_;
  double alpha_;
  double exact_limit_;
  std::vector<double> epilogue_;  // |beta c| + |bias| of a row
  std::vector<double> rounded_;   // values of a row, as the type of D has them
  std::vector<double> results_;
  std::vector<double> tolerances_;
};

}  // namespace warpcheck::reference
