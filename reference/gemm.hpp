// The reference of GEMM: D = alpha A B + beta C + bias, and the tolerance of each element.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "base/scalar_type.hpp"
#include "reference/bounded.hpp"
#include "reference/product/product.hpp"
#include "reference/values.hpp"

namespace warpcheck::reference {

/// A dense row-major matrix, rows x columns, without padding. Its values are exact.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Values values;

  Matrix() = default;
  Matrix(std::int64_t row_count, std::int64_t column_count, double fill = 0.0)
      : rows(row_count),
        columns(column_count),
        values(static_cast<std::size_t>(row_count * column_count), fill) {}

  /// A matrix whose values are to be set.
  [[nodiscard]] static Matrix uninitialized(std::int64_t rows, std::int64_t columns) {
    Matrix matrix;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.values = Values(static_cast<std::size_t>(rows * columns));
    return matrix;
  }

  [[nodiscard]] double operator()(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
  [[nodiscard]] double& operator()(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

[[nodiscard]] inline MatrixView view(const Matrix& matrix) {
  return {matrix.values.data(), matrix.rows, matrix.columns};
}

/// The order in which the kernel adds the K products of an element.
enum class Order {
  any,        // any order, also a tree, split or atomics; the accumulator may start from beta C
  ascending,  // k = 0, 1, 2, ... into one accumulator that starts from zero; fused or not
};

/// The operands are values of their storage types, so that no conversion of the input rounds.
struct Gemm {
  Matrix a;            // m x k
  Matrix b;            // k x n
  Matrix c;            // m x n; ignored, and may be empty, when beta is 0
  Matrix bias = {};    // 1 x n, added to every row; empty: none
  double alpha = 1.0;  // finite; rounded to `accumulate`, as the kernel receives it
  double beta = 0.0;
  ScalarType type_a = ScalarType::f32;
  ScalarType type_b = ScalarType::f32;
  ScalarType type_c = ScalarType::f32;      // also of D and the bias
  ScalarType accumulate = ScalarType::f32;  // type of the running sum
  /// True: tensor cores sum the products, several at a time, and truncate bits too far below the
  /// largest one. False: multiply-adds sum them, rounded to nearest.
  bool tensor_cores = false;
  std::int64_t split_k = 1;  // number of partial sums of equal length, added at the end
  Order order = Order::any;
  /// True: the operands are random and signed, so that rounding errors have no common sign and the
  /// statistical bound holds.
  bool mean_zero = false;
};

enum class Bound {
  exact,        // equality: every partial sum in any order is a value of the accumulator
  any_order,    // K u S, Jeannerod and Rump 2013; certain
  statistical,  // lambda sqrt(K) u S, Higham and Mary 2019; fails once in 10^12 problems
  running,      // sums the exact prefix sums, Higham 2002, chapter 3; certain for Order::ascending
};

/// "exact", "any-order" ...
[[nodiscard]] const char* name(Bound bound);

/// True if `got` is a correct result: see Expected::accepts(). Without branches, so that the
/// compiler can vectorise loops.
[[nodiscard]] inline bool accepts(double correct, double allowed, double got,
                                  double overflow_threshold) {
  const bool is_any = allowed == HUGE_VAL;
  const bool are_nan = (correct != correct) & (got != got);
  const bool is_near = (got == correct) | (std::abs(got - correct) <= allowed);
  const bool overflows = (std::abs(got) == HUGE_VAL) &
                         (std::copysign(1.0, got) * correct + allowed >= overflow_threshold);
  return is_any | are_nan | is_near | overflows;
}

/// Elements that may be a number or a special value, by their positions in row-major order.
using UncertainElements = std::map<std::int64_t, Bounded>;

/// The value and the tolerance of each element.
struct Expected {
  /// NaN and infinities as in IEEE 754; rounded to type_c where the tolerance is 0.
  Matrix value;
  /// Absolute, >= 0. 0: equality; infinity: the element is one of `uncertain`.
  Matrix tolerance;
  /// Elements for which the order of summation decides whether a partial sum overflows.
  UncertainElements uncertain = {};
  Bound bound = Bound::any_order;  // the bound from which most positive tolerances follow
  /// Magnitudes from this one on become infinite in the type of D or of the accumulator.
  double overflow_threshold = 0.0;

  /// True if `got` is a correct result at (row, column). NaN requires NaN, and an infinity the same
  /// infinity. A finite value that reaches the overflow threshold within its tolerance may also
  /// become the infinity of its sign. Zeros are equal whatever their signs.
  [[nodiscard]] bool accepts(std::int64_t row, std::int64_t column, double got) const;

  /// The value, the tolerance of numbers, and the special values of an element.
  [[nodiscard]] Bounded element(std::int64_t row, std::int64_t column) const;
};

/// Computes the values and tolerances with BLAS semantics: beta = 0 ignores C; alpha = 0 or k = 0
/// ignores A and B. The tolerance of an element is 0 where the operands show that every partial sum
/// in any order is a value of the accumulator; elsewhere it is the smallest bound that `order`,
/// `split_k` and `mean_zero` admit. Costs one product m x n x k in double for exact problems, two
/// otherwise, by the widest vectors of this CPU. The result does not depend on `vectors`. Throws
/// std::invalid_argument if the extents of the operands disagree, a scalar is not finite, or an
/// integer accumulator could overflow.
[[nodiscard]] Expected gemm(const Gemm& problem, Vectors vectors = widest_vectors());

}  // namespace warpcheck::reference
