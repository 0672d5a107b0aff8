// The exact lattice: operands that are integers times a common power of two, whose sums are exact.
#pragma once

#include "reference/format.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// What a look at every value of a matrix tells. NaN and infinities are left out.
struct Grid {
  int exponent = 1 << 20;  // every value is a multiple of 2^exponent; this one when all are zero
  double largest = 0.0;    // magnitude
  int width = 0;           // significant bits of the widest value
  bool finite = true;      // no NaN, no infinity

  /// Takes one more value in.
  void include(double value);
};

[[nodiscard]] Grid grid_of(const Matrix& matrix);
[[nodiscard]] Grid grid_of(double scalar);

/// The largest sum of magnitudes |alpha| S_ij + |beta c_ij| + |bias_j| up to which every product
/// and every partial sum of element (i, j) is a value of the accumulator: in any order, alpha and
/// beta applied first or last. That is 2^p times the step of which all of them are multiples, p
/// being the accumulator's precision; 0 where the step is finer than it resolves. C counts only
/// where beta is not zero.
[[nodiscard]] double exact_limit(const Format& accumulator, const Grid& alpha, const Grid& a,
                                 const Grid& b, const Grid& beta, const Grid& c, const Grid& bias);

}  // namespace warpcheck::reference
