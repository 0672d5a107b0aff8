// The arithmetic of warpcheck::Real: that of the language, with sums that are recognized by their
// additions.
#pragma once

#include <array>
#include <cstddef>

#include "library/include/warpcheck/reference.h"
#include "operation/host_function.hpp"
#include "operation/node.hpp"
#include "reference/evaluate/arithmetic.hpp"

namespace warpcheck::reference {

/// The value of an output that is not set yet. Operations pass it on.
[[nodiscard]] double unset_value();
[[nodiscard]] bool is_unset(double value);

/// A sum of two numbers is rounded once. A sum of three and more terms, and one that `+=` makes,
/// has the error of a sum in any order: each number that is a sum has the number of its terms,
/// their magnitudes and their errors, and passes them on to the sum that it is added to. A number
/// that is added to a product of a sum may have been a term of that sum.
class RealArithmetic {
 public:
  explicit RealArithmetic(const operation::KernelArithmetic& kernel);
  RealArithmetic(const RealArithmetic&) = delete;
  RealArithmetic& operator=(const RealArithmetic&) = delete;

  [[nodiscard]] const warpcheck_arithmetic& table() const { return table_; }

  /// True after a branch on a comparison that may have either result.
  [[nodiscard]] bool is_uncertain() const { return is_uncertain_ != 0; }

  [[nodiscard]] warpcheck_real apply(warpcheck_operation operation, const warpcheck_real& x,
                                     const warpcheck_real& y, const warpcheck_real& z) const;

 private:
  [[nodiscard]] warpcheck_real computed(warpcheck_operation operation, const warpcheck_real& x,
                                        const warpcheck_real& y, const warpcheck_real& z) const;
  [[nodiscard]] warpcheck_real add(const warpcheck_real& x, const warpcheck_real& y,
                                   bool accumulates) const;
  [[nodiscard]] Bounded bounded_sum(const warpcheck_real& sum) const;
  [[nodiscard]] Bounded bounded_sum_of_two(const warpcheck_real& x, const warpcheck_real& y) const;

  Arithmetic arithmetic_;
  std::array<operation::Node, WARPCHECK_SELECT + 1> nodes_;
  int is_uncertain_ = 0;
  warpcheck_arithmetic table_;
};

}  // namespace warpcheck::reference
