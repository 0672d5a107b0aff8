// What is right: D = alpha A B + beta C by Eigen, and how wrong a right kernel may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/scalar_type.hpp"

namespace warpcheck::reference {

/// A dense row-major matrix of exactly representable element values, rows x columns, tight.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;

  [[nodiscard]] double operator()(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
  [[nodiscard]] double& operator()(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

/// The operands are values of the storage types, so that no input conversion error enters.
struct Gemm {
  Matrix a;  // m x k
  Matrix b;  // k x n
  Matrix c;  // m x n; ignored when beta is 0, whatever it holds
  double alpha = 1.0;
  double beta = 0.0;
  ScalarType type_c = ScalarType::f32;      // of D
  ScalarType accumulate = ScalarType::f32;  // of the running sum
  std::int64_t split_k = 1;                 // number of partial sums that are added at the end
};

enum class Bound { exact, any_order, statistical };

/// Per element: the value, how far a right kernel may be from it, and S = |alpha| |A||B| + |beta C|.
struct Expected {
  Matrix value;      // correctly rounded to type_c where the bound is exact
  Matrix tolerance;  // absolute; 0 everywhere where the bound is exact
  Bound bound = Bound::any_order;
};

/// `exact` when every partial sum in any order is representable in the accumulator (see NUMERICS: the
/// lattice), decided from the operands themselves; otherwise the componentwise a-priori bound.
[[nodiscard]] Expected gemm(const Gemm& problem);

}  // namespace warpcheck::reference
