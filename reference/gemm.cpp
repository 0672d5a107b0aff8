#include "reference/gemm.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "reference/bound.hpp"
#include "reference/effective.hpp"
#include "reference/exact_product.hpp"
#include "reference/overflow.hpp"
#include "reference/rounding.hpp"

namespace warpcheck::reference {
namespace {

template <class Real>
using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajor = Dense<double>;
using View = Eigen::Map<const RowMajor>;

View view(const Matrix& matrix) { return {matrix.values.data(), matrix.rows, matrix.columns}; }

/// The magnitudes of the values. NaN and infinities count as 0, so that a sum covers the finite
/// values only; values of at least `too_large` count as infinite.
RowMajor magnitudes(const Matrix& matrix, double too_large) {
  return view(matrix).unaryExpr([too_large](double x) {
    if (!std::isfinite(x)) return 0.0;
    return std::abs(x) < too_large ? std::abs(x) : kInfinity;
  });
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

/// alpha A B + beta C + bias, each sum of products in any order. Products of f32 operands are exact
/// in double, so that only the sums round; f64 requires a wider type.
template <class Real>
Matrix evaluated(const Gemm& p, const Effective& e) {
  Dense<Real> result = Dense<Real>::Zero(p.a.rows, p.b.columns);
  if (e.k > 0) result.noalias() = view(p.a).cast<Real>() * view(p.b).cast<Real>();
  if (e.k > 0 && e.alpha != 1.0) result *= static_cast<Real>(e.alpha);
  if (e.beta != 0.0) result += static_cast<Real>(e.beta) * view(p.c).cast<Real>();
  if (!p.bias.values.empty()) result.rowwise() += view(p.bias).cast<Real>().row(0);
  Matrix values(p.a.rows, p.b.columns);
  Eigen::Map<RowMajor>(values.values.data(), values.rows, values.columns) =
      result.template cast<double>();
  return values;
}

/// sum of |a_ik b_kj| for each element, where values of at least `too_large` count as infinite.
Matrix sums_of_magnitudes(const Gemm& p, double too_large) {
  Matrix sums(p.a.rows, p.b.columns);
  Eigen::Map<RowMajor>(sums.values.data(), sums.rows, sums.columns).noalias() =
      magnitudes(p.a, too_large) * magnitudes(p.b, too_large);
  return sums;
}

/// The same where no sum rounds.
Matrix evaluated_exactly(const Gemm& p, const Effective& e) {
  Matrix result = e.k > 0 ? exact_product(p.a, p.b) : Matrix(p.a.rows, p.b.columns);
  std::vector<double>& values = result.values;
  if (e.k > 0 && e.alpha != 1.0) {
    for (double& value : values) value *= e.alpha;
  }
  if (e.beta != 0.0) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += e.beta * p.c.values[i];
  }
  const std::vector<double>& bias = p.bias.values;
  for (std::int64_t row = 0; !bias.empty() && row < result.rows; ++row) {
    double* const line = values.data() + row * result.columns;
    for (std::size_t j = 0; j < bias.size(); ++j) line[j] += bias[j];
  }
  return result;
}

/// The values and tolerances of one problem, element by element.
class Evaluation {
 public:
  explicit Evaluation(const Gemm& problem)
      : problem_(problem), effective_(problem), limit_(exact_up_to()) {}

  [[nodiscard]] Expected expected() {
    Expected expected;
    expected.bound = Bound::exact;
    expected.tolerance = Matrix(problem_.a.rows, problem_.b.columns);
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
      expected.value = evaluated_exactly(problem_, effective_);
      if (problem_.type_c != problem_.accumulate) round_to(problem_.type_c, expected.value.values);
    } else {
      expected.value = in_double() ? evaluated<double>(problem_, effective_)
                                   : evaluated<long double>(problem_, effective_);
      set_tolerances(expected);
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

  [[nodiscard]] double rounded_out(double value) const {
    return problem_.type_c == problem_.accumulate ? value : round_to(problem_.type_c, value);
  }

  [[nodiscard]] Magnitudes magnitudes_of(std::size_t i, const Matrix& sums) const {
    const auto finite = [](double value) { return std::isfinite(value) ? std::abs(value) : 0.0; };
    Magnitudes m;
    if (effective_.k > 0) m.sum = sums.values[i];
    if (effective_.beta != 0.0) m.c = std::abs(effective_.beta) * finite(problem_.c.values[i]);
    const std::vector<double>& bias = problem_.bias.values;
    if (!bias.empty()) m.c += finite(bias[i % bias.size()]);
    return m;
  }

  void set_tolerances(Expected& expected) const {
    Matrix sums;
    if (effective_.k > 0) sums = sums_of_magnitudes(problem_, largest_operand());
    const bool running = problem_.order == Order::ascending && effective_.k > 0;
    Matrix prefix_error;
    if (running) {
      prefix_error = running_error(problem_.a, problem_.b, unit_roundoff(problem_.accumulate),
                                   0.5 * format(problem_.accumulate).smallest_step());
    }
    for (std::size_t i = 0; i < expected.value.values.size(); ++i) {
      const Magnitudes m = magnitudes_of(i, sums);
      double& value = expected.value.values[i];
      if (std::isfinite(value) && is_exact(m)) {
        value = rounded_out(value);
        continue;
      }
      double sum_error = rounding_->growth() * m.sum;
      if (running && prefix_error.values[i] < sum_error) sum_error = prefix_error.values[i];
      double& tolerance = expected.tolerance.values[i];
      tolerance = rounding_->tolerance(value, m, sum_error);
      overflow_->apply(m, value, tolerance);
      if (tolerance == 0.0) continue;
      expected.bound = running                    ? Bound::running
                       : rounding_->statistical() ? Bound::statistical
                                                  : Bound::any_order;
    }
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
  const double correct = value(row, column);
  const double allowed = tolerance(row, column);
  if (std::isinf(allowed)) return true;
  if (std::isnan(correct)) return std::isnan(got);
  if (std::isinf(correct)) return got == correct;
  if (std::isinf(got)) {
    return std::copysign(1.0, got) * correct + allowed >= overflow_threshold;
  }
  return std::abs(got - correct) <= allowed;  // false for NaN
}

Expected gemm(const Gemm& problem) {
  check_extents(problem);
  return Evaluation(problem).expected();
}

}  // namespace warpcheck::reference
