// What of a problem decides how exact its sums are.
#pragma once

#include <cstdint>

#include "reference/format.hpp"
#include "reference/gemm.hpp"
#include "reference/grid.hpp"

namespace warpcheck::reference {

/// The problem as the kernel meets it: what is ignored left out, scalars rounded to the
/// accumulator.
struct Effective {
  double alpha;
  double beta;
  std::int64_t k;  // 0 where A and B are ignored
  Grid a;
  Grid b;
  Grid c;
  Grid bias;

  explicit Effective(const Gemm& problem);

  /// Whether every product of an element of A and one of B is a value of this format, wherever it
  /// does not overflow.
  [[nodiscard]] bool products_are_exact(const Format& accumulator) const;

  /// Additions that follow the sum of products.
  [[nodiscard]] int final_sums() const;
};

/// Sums of the magnitudes of one element's finite terms.
struct Magnitudes {
  double sum = 0.0;  // S = sum of |a_ik b_kj|
  double c = 0.0;    // |beta c_ij| + |bias_j|
};

/// Whether a value may lie below the format's normal numbers.
[[nodiscard]] bool may_be_subnormal(const Grid& grid, ScalarType type);

/// Whether sums are cut off. Tensor cores add integers exactly, and round sums of f64 as fma does.
[[nodiscard]] bool truncates(const Gemm& problem);

/// The accumulator as far as sums are exact in it.
[[nodiscard]] Format exact_accumulator(const Gemm& problem, const Effective& effective);

}  // namespace warpcheck::reference
