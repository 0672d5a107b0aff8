// What is right: D = alpha A B + beta C + bias by Eigen, and how wrong a right kernel may be.
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

  Matrix() = default;
  Matrix(std::int64_t row_count, std::int64_t column_count, double fill = 0.0)
      : rows(row_count),
        columns(column_count),
        values(static_cast<std::size_t>(row_count * column_count), fill) {}

  [[nodiscard]] double operator()(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
  [[nodiscard]] double& operator()(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

/// In which order the kernel adds the K products of an element.
enum class Order {
  any,        // any order, tree, split or atomic order; accumulation may start from beta C
  ascending,  // k = 0, 1, 2, ... into one accumulator that starts from zero; fused or not
};

/// The operands are values of the storage types, so that no input conversion error enters.
struct Gemm {
  Matrix a;            // m x k
  Matrix b;            // k x n
  Matrix c;            // m x n; ignored, and may be empty, when beta is 0
  Matrix bias = {};    // 1 x n, added to every row; empty: none
  double alpha = 1.0;  // finite; rounded to `accumulate`, as the kernel is handed it
  double beta = 0.0;
  ScalarType type_a = ScalarType::f32;
  ScalarType type_b = ScalarType::f32;
  ScalarType type_c = ScalarType::f32;      // of D and of the bias
  ScalarType accumulate = ScalarType::f32;  // of the running sum
  /// Tensor cores sum the products, a few at a time, and cut off what lies too far below the
  /// largest; otherwise they are summed by multiply-adds rounded to nearest.
  bool tensor_cores = false;
  std::int64_t split_k = 1;  // number of partial sums, of equal length, that are added at the end
  Order order = Order::any;
  /// The operands are random and signed, so that rounding errors have no common sign and the
  /// statistical bound holds. False claims nothing.
  bool mean_zero = false;
};

enum class Bound {
  exact,        // equality: every partial sum in any order is a value of the accumulator
  any_order,    // K u S, Jeannerod and Rump 2013; certain
  statistical,  // lambda sqrt(K) u S, Higham and Mary 2019; fails once in 10^12 problems
  running,      // over the exact prefix sums, Higham 2002, chapter 3; certain for Order::ascending
};

/// "exact", "any-order" ...
[[nodiscard]] const char* name(Bound bound);

/// Per element: the value, and how far a right kernel may be from it.
struct Expected {
  Matrix value;  // NaN and infinities where IEEE 754 has them; rounded to type_c where exact
  Matrix
      tolerance;  // absolute, >= 0; 0: equality; infinity: right kernels may differ without limit
  Bound bound = Bound::any_order;   // the one that set most of the positive tolerances
  double overflow_threshold = 0.0;  // magnitudes from here on become infinite in D's type, or in
                                    // the accumulator's

  /// Whether a right kernel may have left `got` at (row, column). NaN asks for NaN and an infinity
  /// for the same one; a finite value that reaches the overflow threshold within its tolerance may
  /// also come out as the infinity of its sign. Zeros are equal whatever their signs.
  [[nodiscard]] bool accepts(std::int64_t row, std::int64_t column, double got) const;
};

/// BLAS semantics: beta = 0 ignores C, alpha = 0 (or k = 0) ignores A and B, whatever they hold.
/// An element's tolerance is 0 where every partial sum in any order is a value of the accumulator,
/// decided from the operands themselves; elsewhere it is the least bound that the problem's
/// `order`, `split_k` and `mean_zero` allow. Costs one product m x n x k in double for exact
/// problems and two otherwise. Throws std::invalid_argument where the extents of the operands
/// disagree, a scalar is not finite, or an integer accumulator could overflow.
[[nodiscard]] Expected gemm(const Gemm& problem);

}  // namespace warpcheck::reference
