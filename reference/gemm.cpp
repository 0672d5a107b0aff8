#include "reference/gemm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "reference/bound.hpp"
#include "reference/certain_sums.hpp"
#include "reference/effective.hpp"
#include "reference/overflow.hpp"
#include "reference/rounding.hpp"
#include "reference/tolerances.hpp"

namespace warpcheck::reference {
namespace {

/// The magnitudes of the values. NaN and infinities count as 0, so that a sum covers the finite
/// values only; values of at least `too_large` count as infinite.
Matrix magnitudes(const Matrix& matrix, double too_large) {
  Matrix result = Matrix::uninitialized(matrix.rows, matrix.columns);
  std::ranges::transform(matrix.values, result.values.begin(), [too_large](double x) {
    const double magnitude = std::abs(x);
    const double finite = magnitude < kInfinity ? magnitude : 0.0;
    return finite < too_large ? finite : kInfinity;
  });
  return result;
}

void require(bool holds, const std::string& found) {
  if (!holds) throw std::invalid_argument(found);
}

void check_extents(const Gemm& p) {
  require(p.a.columns == p.b.rows,
          fmt::format("reference: A is {} x {} and B {} x {}, expected the "
                      "columns of A to equal the rows of B",
                      p.a.rows, p.a.columns, p.b.rows, p.b.columns));
  require(p.beta == 0.0 || (p.c.rows == p.a.rows && p.c.columns == p.b.columns),
          fmt::format("reference: C is {} x {}, expected {} x {}", p.c.rows, p.c.columns, p.a.rows,
                      p.b.columns));
  require(p.bias.values.empty() || (p.bias.rows == 1 && p.bias.columns == p.b.columns),
          fmt::format("reference: the bias is {} x {}, expected 1 x {}", p.bias.rows,
                      p.bias.columns, p.b.columns));
  require(
      std::isfinite(p.alpha) && std::isfinite(p.beta),
      fmt::format("reference: alpha is {} and beta {}, expected finite scalars", p.alpha, p.beta));
}

/// alpha A B + beta C + bias in a type wider than double.
Matrix evaluated_widely(const Gemm& p, const Effective& e) {
  Matrix values = Matrix::uninitialized(p.a.rows, p.b.columns);
  std::vector<long double> results(values.values.size(), 0.0L);
  if (e.k > 0) multiply_widely(view(p.a), view(p.b), results.data());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::size_t column = i % static_cast<std::size_t>(values.columns);
    long double result = e.k > 0 ? results[i] * static_cast<long double>(e.alpha) : 0.0L;
    if (e.beta != 0.0) result += static_cast<long double>(e.beta) * p.c.values[i];
    if (!p.bias.values.empty()) result += p.bias.values[column];
    values.values[i] = static_cast<double>(result);
  }
  return values;
}

/// Elements of a product in long double, in a fixed order.
class ProductByElement {
 public:
  /// Keeps references to the factors.
  ProductByElement(const Matrix& a, const Matrix& b) : a_(a), b_(b) {}

  long double operator()(std::int64_t row, std::int64_t column) {
    if (columns_.values.empty()) columns_ = transposed(b_);
    const MatrixView factor{columns_.values.data() + column * columns_.columns, b_.rows, 1};
    return element_of_product(view(a_), factor, row, 0);
  }

 private:
  static Matrix transposed(const Matrix& matrix) {
    Matrix result = Matrix::uninitialized(matrix.columns, matrix.rows);
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      for (std::int64_t j = 0; j < matrix.columns; ++j) result(j, i) = matrix(i, j);
    }
    return result;
  }

  const Matrix& a_;
  const Matrix& b_;
  Matrix columns_;  // the transpose of B; empty until the first element
};

/// Completes a row of A B: scales it by alpha and adds beta C and the bias.
void add_epilogue(const Gemm& p, const Effective& e, std::int64_t number, std::span<double> row) {
  if (e.k > 0 && e.alpha != 1.0) {
    for (double& value : row) value *= e.alpha;
  }
  if (e.beta != 0.0) {
    const double* const c = p.c.values.data() + number * p.c.columns;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += e.beta * c[j];
  }
  const Values& bias = p.bias.values;
  for (std::size_t j = 0; j < bias.size(); ++j) row[j] += bias[j];
}

std::span<double> row_of(Matrix& matrix, std::int64_t number) {
  return std::span(matrix.values)
      .subspan(static_cast<std::size_t>(number * matrix.columns),
               static_cast<std::size_t>(matrix.columns));
}

/// The values and tolerances of one problem.
class Evaluation {
 public:
  Evaluation(const Gemm& problem, Vectors vectors)
      : problem_(problem),
        vectors_(vectors),
        kernels_(kernels(vectors)),
        effective_(problem),
        limit_(exact_up_to()) {}

  [[nodiscard]] Expected expected() {
    Expected expected;
    expected.bound = Bound::exact;
    // The growth of the operands themselves, a pass over them, is seldom needed for this decision.
    overflow_.emplace(problem_, effective_, RoundingModel::largest_growth(problem_, effective_));
    bool exact = all_are_exact();
    if (!exact) {
      rounding_.emplace(problem_, effective_);
      overflow_.emplace(problem_, effective_, rounding_->growth());
      exact = all_are_exact();
      if (!exact) require_no_integers();
    }
    expected.overflow_threshold =
        std::min(format(problem_.type_c).overflow_threshold(), overflow_->threshold());
    if (exact) {
      expected.value = evaluated_exactly();
      expected.tolerance = Matrix(problem_.a.rows, problem_.b.columns);
    } else {
      set_values_and_tolerances(expected);
    }
    return expected;
  }

 private:
  [[nodiscard]] bool in_double() const { return problem_.accumulate != ScalarType::f64; }

  /// No kernel rounds where the sum of magnitudes is at most this. The sum is computed in double,
  /// which itself rounds if the values are f64.
  [[nodiscard]] double exact_up_to() const {
    const Effective& e = effective_;
    const double room =
        in_double() ? 1.0 : 1.0 - (static_cast<double>(e.k) + 4.0) * 2.0 * kDoubleUnit;
    return room * exact_limit(exact_accumulator(problem_, e), grid_of(e.alpha), e.a, e.b,
                              grid_of(e.beta), e.c, e.bias);
  }

  [[nodiscard]] bool is_exact(const Magnitudes& m) const {
    return std::abs(effective_.alpha) * m.sum + m.c <= limit_ && overflow_->harmless(m);
  }

  /// Larger operands overflow in a kernel that multiplies them by alpha first.
  [[nodiscard]] double largest_operand() const {
    return overflow_->threshold() / std::max(1.0, std::abs(effective_.alpha));
  }

  [[nodiscard]] Magnitudes largest_magnitudes() const {
    const Effective& e = effective_;
    return {static_cast<double>(e.k) * e.a.largest * e.b.largest,
            std::abs(e.beta) * e.c.largest + e.bias.largest};
  }

  /// Decides from the largest values alone.
  [[nodiscard]] bool all_are_exact() const {
    return is_exact(largest_magnitudes()) &&
           std::max(effective_.a.largest, effective_.b.largest) < largest_operand();
  }

  /// Integers are correct only if all are exact.
  void require_no_integers() const {
    const Magnitudes most = largest_magnitudes();
    require(!format(problem_.accumulate).integer,
            fmt::format("reference: partial sums up to {:.6g} in {}, expected at most {:.6g}",
                        std::abs(effective_.alpha) * most.sum + most.c,
                        warpcheck::name(problem_.accumulate), format(problem_.accumulate).largest));
  }

  /// A matrix that a product will set. If A B is ignored, zeros.
  [[nodiscard]] Matrix zeros_unless_multiplied() const {
    const std::int64_t rows = problem_.a.rows;
    const std::int64_t columns = problem_.b.columns;
    return effective_.k > 0 ? Matrix::uninitialized(rows, columns) : Matrix(rows, columns);
  }

  [[nodiscard]] Matrix evaluated_exactly() const {
    const Gemm& p = problem_;
    Matrix result = zeros_unless_multiplied();
    if (effective_.k > 0) kernels_.multiply(view(p.a), view(p.b), result.values.data());
    for (std::int64_t i = 0; i < result.rows; ++i) {
      const std::span<double> row = row_of(result, i);
      add_epilogue(p, effective_, i, row);
      if (p.type_c != p.accumulate) round_to(p.type_c, row);
    }
    return result;
  }

  void set_values_and_tolerances(Expected& expected) const {
    const Gemm& p = problem_;
    const bool has_terms = effective_.k > 0;
    const bool running = p.order == Order::ascending && has_terms;
    Matrix prefix_errors;
    if (running) {
      prefix_errors = running_error(p.a, p.b, unit_roundoff(p.accumulate),
                                    0.5 * format(p.accumulate).smallest_step(), vectors_);
    }
    expected.value = in_double() ? zeros_unless_multiplied() : evaluated_widely(p, effective_);
    expected.tolerance = zeros_unless_multiplied();
    if (has_terms) multiply_and_round(expected.value, expected.tolerance);
    Tolerances tolerances(p, effective_, *rounding_, *overflow_, limit_);
    bool exact = true;
    for (std::int64_t i = 0; i < p.a.rows; ++i) {
      const std::span<double> row = row_of(expected.value, i);
      if (in_double()) add_epilogue(p, effective_, i, row);
      exact &= !tolerances.set({i, row, row_of(expected.tolerance, i),
                                running ? row_of(prefix_errors, i) : std::span<double>(),
                                &expected.uncertain});
    }
    if (exact) return;
    expected.bound = running                    ? Bound::running
                     : rounding_->statistical() ? Bound::statistical
                                                : Bound::any_order;
  }

  /// Sets A B, unless the values are computed in a wider type, and its sums of magnitudes.
  void multiply_and_round(Matrix& values, Matrix& sums) const {
    const Gemm& p = problem_;
    const Matrix a = magnitudes(p.a, largest_operand());
    const Matrix b = magnitudes(p.b, largest_operand());
    kernels_.multiply(view(a), view(b), sums.values.data());
    Matrix products(in_double() ? 0 : 1, p.b.columns);  // zeros
    if (in_double()) kernels_.multiply(view(p.a), view(p.b), values.values.data());
    CertainSums certain(rounding_->certain_terms());
    const double exact_up_to = rounding_->certain_terms() <= 1 ? kInfinity : limit_;
    const CertainSums::FixedOrder fixed_order{ProductByElement(p.a, p.b), ProductByElement(a, b)};
    for (std::int64_t i = 0; i < p.a.rows; ++i) {
      certain.round({i, in_double() ? row_of(values, i) : row_of(products, 0), row_of(sums, i),
                     std::abs(effective_.alpha), exact_up_to},
                    fixed_order);
    }
  }

  const Gemm& problem_;
  Vectors vectors_;
  const ProductKernels& kernels_;
  Effective effective_;
  double limit_;
  std::optional<RoundingModel> rounding_;
  std::optional<OverflowModel> overflow_;
};

}  // namespace

const char* name(Bound bound) {
  constexpr std::array kNames = {"exact", "any-order", "statistical", "running"};
  return kNames[static_cast<std::size_t>(bound)];
}

bool Expected::accepts(std::int64_t row, std::int64_t column, double got) const {
  const double allowed = tolerance(row, column);
  if (allowed == kInfinity) return includes(element(row, column), got);
  return reference::accepts(value(row, column), allowed, got, overflow_threshold);
}

Bounded Expected::element(std::int64_t row, std::int64_t column) const {
  const auto found = uncertain.find(row * value.columns + column);
  if (found != uncertain.end()) return found->second;
  return {value(row, column), tolerance(row, column)};
}

Expected gemm(const Gemm& problem, Vectors vectors) {
  check_extents(problem);
  return Evaluation(problem, vectors).expected();
}

}  // namespace warpcheck::reference
