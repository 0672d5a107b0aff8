// The exact lattice: operands that are integers times one power of two, so that sums are exact.
#pragma once

#include "reference/format.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// Properties of all values of a matrix, without NaN and infinities.
struct Grid {
  int exponent = 1 << 20;  // every value is a multiple of 2^exponent; 2^20 if all are zero
  double largest = 0.0;    // magnitude
  bool finite = true;      // no NaN, no infinity

  /// Adds one value.
  void include(double value);
};

/// Returns e if the value is an odd multiple of 2^e; a large number for 0, NaN and infinities.
[[nodiscard]] int step_exponent(double value);

[[nodiscard]] Grid grid_of(const Matrix& matrix);
[[nodiscard]] Grid grid_of(double scalar);

/// Returns the significant bits of the widest value, without NaN and infinities; any number from
/// `enough` on, if it is at least `enough`.
[[nodiscard]] int width_of(const Matrix& matrix, int enough);

/// The largest sum of magnitudes |alpha| S_ij + |beta c_ij| + |bias_j| for which every product and
/// every partial sum of element (i, j) is a value of the accumulator, in any order, with alpha and
/// beta applied first or last. It is 2^p times the step of which all of them are multiples, where p
/// is the precision of the accumulator; 0 if the step is below the smallest one of the accumulator.
/// C counts only if beta is not zero.
[[nodiscard]] double exact_limit(const Format& accumulator, const Grid& alpha, const Grid& a,
                                 const Grid& b, const Grid& beta, const Grid& c, const Grid& bias);

}  // namespace warpcheck::reference
