#include "reference/gemm.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>

#include "reference/bound.hpp"
#include "reference/effective.hpp"
#include "reference/overflow.hpp"
#include "reference/product.hpp"
#include "reference/rounding.hpp"
#include "reference/tolerances.hpp"

namespace warpcheck::reference {
namespace {

template <class Real>
using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajor = Dense<double>;
using View = Eigen::Map<const RowMajor>;

View view(const Matrix& matrix) { return {matrix.values.data(), matrix.rows, matrix.columns}; }

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

/// alpha A B + beta C + bias, each sum of products in any order, in a type wider than double.
Matrix evaluated_widely(const Gemm& p, const Effective& e) {
  using Real = long double;
  Dense<Real> result = Dense<Real>::Zero(p.a.rows, p.b.columns);
  if (e.k > 0) result.noalias() = view(p.a).cast<Real>() * view(p.b).cast<Real>();
  if (e.k > 0 && e.alpha != 1.0) result *= static_cast<Real>(e.alpha);
  if (e.beta != 0.0) result += static_cast<Real>(e.beta) * view(p.c).cast<Real>();
  if (!p.bias.values.empty()) result.rowwise() += view(p.bias).cast<Real>().row(0);
  Matrix values = Matrix::uninitialized(p.a.rows, p.b.columns);
  Eigen::Map<RowMajor>(values.values.data(), values.rows, values.columns) =
      result.template cast<double>();
  return values;
}

/// True if the product of any element of A and any one of B is a double.
bool products_are_doubles(const Gemm& p) {
  const auto is_short = [](ScalarType type) { return 2 * format(type).precision <= 53; };
  return is_short(p.type_a) && is_short(p.type_b);
}

/// A B in double, some rows at a time.
class ProductInDouble {
 public:
  /// Keeps references to A and B.
  ProductInDouble(const Gemm& p, const Matrix& a, const Matrix& b) : a_(a), b_(b) {
    if (products_are_doubles(p)) product_.emplace(a, b);
  }

  [[nodiscard]] std::int64_t rows_at_once() const {
    return product_ ? product_->rows_at_once() : a_.rows;
  }

  void rows(std::int64_t first, std::int64_t end, double* results) const {
    if (product_) return product_->rows(first, end, results);
    Eigen::Map<RowMajor>(results, end - first, b_.columns).noalias() =
        view(a_).middleRows(first, end - first) * view(b_);
  }

 private:
  const Matrix& a_;
  const Matrix& b_;
  std::optional<MatrixProduct> product_;
};

/// Calls f(first, end) for the blocks of rows.
template <class F>
void for_each_block(std::int64_t rows, std::int64_t at_once, const F& f) {
  for (std::int64_t first = 0; first < rows; first += at_once) {
    f(first, std::min(first + at_once, rows));
  }
}

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
  explicit Evaluation(const Gemm& problem)
      : problem_(problem), effective_(problem), limit_(exact_up_to()) {}

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
      expected.tolerance = Matrix::uninitialized(problem_.a.rows, problem_.b.columns);
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

  [[nodiscard]] Matrix evaluated_exactly() const {
    const Gemm& p = problem_;
    const bool has_terms = effective_.k > 0;
    Matrix result =
        has_terms ? Matrix::uninitialized(p.a.rows, p.b.columns) : Matrix(p.a.rows, p.b.columns);
    std::optional<MatrixProduct> product;
    if (has_terms) product.emplace(p.a, p.b);
    for_each_block(result.rows, product ? product->rows_at_once() : result.rows,
                   [&](std::int64_t first, std::int64_t end) {
                     if (product) product->rows(first, end, row_of(result, first).data());
                     for (std::int64_t i = first; i < end; ++i) {
                       const std::span<double> row = row_of(result, i);
                       add_epilogue(p, effective_, i, row);
                       if (p.type_c != p.accumulate) round_to(p.type_c, row);
                     }
                   });
    return result;
  }

  void set_values_and_tolerances(Expected& expected) const {
    const Gemm& p = problem_;
    const bool has_terms = effective_.k > 0;
    const bool running = p.order == Order::ascending && has_terms;
    Matrix prefix_errors;
    if (running) {
      prefix_errors = running_error(p.a, p.b, unit_roundoff(p.accumulate),
                                    0.5 * format(p.accumulate).smallest_step());
    }
    const Matrix a = has_terms ? magnitudes(p.a, largest_operand()) : Matrix();
    const Matrix b = has_terms ? magnitudes(p.b, largest_operand()) : Matrix();
    std::optional<ProductInDouble> sums;
    std::optional<ProductInDouble> values;
    if (has_terms) sums.emplace(p, a, b);
    if (has_terms && in_double()) values.emplace(p, p.a, p.b);
    expected.value = !in_double() ? evaluated_widely(p, effective_)
                     : has_terms  ? Matrix::uninitialized(p.a.rows, p.b.columns)
                                  : Matrix(p.a.rows, p.b.columns);
    const std::int64_t at_once = std::min(sums ? sums->rows_at_once() : p.a.rows, p.a.rows);
    Matrix block = Matrix::uninitialized(has_terms ? at_once : 0, p.b.columns);
    Tolerances tolerances(p, effective_, *rounding_, *overflow_, limit_);
    bool exact = true;
    for_each_block(p.a.rows, at_once, [&](std::int64_t first, std::int64_t end) {
      if (sums) sums->rows(first, end, block.values.data());
      if (values) values->rows(first, end, row_of(expected.value, first).data());
      for (std::int64_t i = first; i < end; ++i) {
        const std::span<double> row = row_of(expected.value, i);
        if (in_double()) add_epilogue(p, effective_, i, row);
        exact &= !tolerances.set({i, row, row_of(expected.tolerance, i),
                                  has_terms ? row_of(block, i - first) : std::span<double>(),
                                  running ? row_of(prefix_errors, i) : std::span<double>(),
                                  &expected.uncertain});
      }
    });
    if (exact) return;
    expected.bound = running                    ? Bound::running
                     : rounding_->statistical() ? Bound::statistical
                                                : Bound::any_order;
  }

  const Gemm& problem_;
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

Expected gemm(const Gemm& problem) {
  check_extents(problem);
  return Evaluation(problem).expected();
}

}  // namespace warpcheck::reference
