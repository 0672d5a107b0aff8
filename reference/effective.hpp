// The parts of a problem that determine the error of its sums.
#pragma once

#include <cstdint>

#include "reference/format.hpp"
#include "reference/gemm.hpp"
#include "reference/grid.hpp"

namespace warpcheck::reference {

/// The problem as a kernel computes it: without operands that are ignored, and with scalars rounded
/// to the accumulator.
struct Effective {
  double alpha;
  double beta;
  std::int64_t k;  // 0 where A and B are ignored
  Grid a;
  Grid b;
  Grid c;
  Grid bias;

  explicit Effective(const Gemm& problem);

  /// True if every product of an element of A and one of B that does not overflow is a value of the
  /// format.
  [[nodiscard]] bool products_are_exact(const Gemm& problem, const Format& accumulator) const;

  /// The number of additions after the sum of products.
  [[nodiscard]] int final_sums() const;
};

/// Sums of the magnitudes of one element's finite terms.
struct Magnitudes {
  double sum = 0.0;  // S = sum of |a_ik b_kj|
  double c = 0.0;    // |beta c_ij| + |bias_j|
};

/// True if a value may be below the normal numbers of the format.
[[nodiscard]] bool may_be_subnormal(const Grid& grid, ScalarType type);

/// True if tensor cores truncate the sums. They add integers exactly, and round sums of f64 like
/// fma.
[[nodiscard]] bool truncates(const Gemm& problem);

/// The format in which the sums of the accumulator are exact.
[[nodiscard]] Format exact_accumulator(const Gemm& problem, const Effective& effective);

}  // namespace warpcheck::reference
