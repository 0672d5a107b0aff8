#include "reference/gemm.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "reference/bound.hpp"
#include "reference/format.hpp"
#include "reference/grid.hpp"

namespace warpcheck::reference {
namespace {

constexpr double kInfinity = HUGE_VAL;
constexpr double kStatisticalFailure = 1e-12;  // chance that one right problem exceeds the bound
constexpr double kUnit = 0x1p-53;
constexpr double kWideUnit = std::numeric_limits<long double>::epsilon() / 2.0L;

template <class Real>
using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajor = Dense<double>;
using View = Eigen::Map<const RowMajor>;

View view(const Matrix& matrix) { return {matrix.values.data(), matrix.rows, matrix.columns}; }

/// Magnitudes of the finite values; NaN and infinities count 0, so that sums tell about the finite
/// ones. Values from `too_large` on count as infinite.
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

bool power_of_two(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

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

  explicit Effective(const Gemm& p)
      : alpha(round_to(p.accumulate, p.alpha)),
        beta(round_to(p.accumulate, p.beta)),
        k(alpha == 0.0 ? 0 : p.a.columns) {
    if (k > 0) a = grid_of(p.a);
    if (k > 0) b = grid_of(p.b);
    if (beta != 0.0) c = grid_of(p.c);
    bias = grid_of(p.bias);
  }

  /// Additions that follow the sum of products.
  [[nodiscard]] int final_sums() const {
    const int terms = (k > 0 ? 1 : 0) + (beta != 0.0 ? 1 : 0) + (bias.largest != 0.0 ? 1 : 0);
    return std::max(terms - 1, 0);
  }
};

/// Whether a value may lie below the format's normal numbers.
bool may_be_subnormal(const Grid& grid, ScalarType type) {
  return grid.exponent < format(type).smallest_exponent;
}

/// alpha A B + beta C + bias, each sum of products in any order. With f32 operands every product is
/// exact in double, so that only the sums round; f64 asks for more.
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

/// Per element: sum of |a_ik b_kj|, where values from `too_large` on count as infinite.
Matrix sums_of_magnitudes(const Gemm& p, double too_large) {
  Matrix sums(p.a.rows, p.b.columns);
  Eigen::Map<RowMajor>(sums.values.data(), sums.rows, sums.columns).noalias() =
      magnitudes(p.a, too_large) * magnitudes(p.b, too_large);
  return sums;
}

/// Whether sums are cut off. Tensor cores add integers exactly, and round sums of f64 as fma does.
bool truncates(const Gemm& p) {
  return p.tensor_cores && !format(p.accumulate).integer && p.accumulate != ScalarType::f64;
}

/// The accumulator as far as sums are exact in it.
Format exact_accumulator(const Gemm& p, const Effective& e) {
  Format accumulator = format(p.accumulate);
  if (!truncates(p)) return accumulator;
  accumulator.precision = std::min(accumulator.precision, tensor_sums(p.type_a).fraction_bits + 1);
  // A subnormal operand may raise the exponent at which the others are cut off.
  if (may_be_subnormal(e.a, p.type_a) || may_be_subnormal(e.b, p.type_b)) {
    accumulator.smallest_exponent = 1 << 20;
  }
  return accumulator;
}

/// Sums of the magnitudes of one element's finite terms.
struct Magnitudes {
  double sum = 0.0;  // S = sum of |a_ik b_kj|
  double c = 0.0;    // |beta c_ij| + |bias_j|
};

/// How far rounding may take an element from its exact value.
class RoundingModel {
 public:
  RoundingModel(const Gemm& problem, const Effective& e)
      : unit_(unit_roundoff(problem.accumulate)),
        unit_out_(problem.type_c == problem.accumulate ? 0.0 : unit_roundoff(problem.type_c)),
        alpha_(std::abs(e.alpha)) {
    const std::int64_t path = longest_path(e.k, problem.split_k);
    const TensorSums tensor = tensor_sums(problem.type_a);
    growth_ =
        truncates(problem) ? tensor_growth(path, tensor, unit_) : any_order_growth(path, unit_);
    const double terms = static_cast<double>(e.k);
    // What tensor cores cut off has the sign of what it is cut from.
    if (problem.mean_zero && !truncates(problem) && e.k > 0) {
      const double all_terms = terms * static_cast<double>(problem.a.rows * problem.b.columns);
      const double likely = statistical_growth(path, all_terms, kStatisticalFailure, unit_);
      statistical_ = likely < growth_;
      growth_ = std::min(growth_, likely);
    }
    sum_roundings_ = (power_of_two(e.alpha) ? 0 : 1) + e.final_sums();
    c_roundings_ = (power_of_two(e.beta) ? 0 : 1) + e.final_sums();

    // A rounding whose result is subnormal is off by half a step whatever its size: K products, the
    // scalings by alpha and beta. Sums of values of a format are exact there.
    const Format& accumulator = format(problem.accumulate);
    const double half_step = 0.5 * accumulator.smallest_step();
    if (e.k > 0) underflow_ += half_step * (alpha_ * terms + 2.0);
    if (e.beta != 0.0 && std::abs(e.beta) != 1.0) underflow_ += half_step;
    if (unit_out_ != 0.0) underflow_ += 0.5 * format(problem.type_c).smallest_step();
    // Where alpha a_ik or alpha b_kj can be subnormal, a kernel that applies alpha to an operand
    // multiplies that half step by the other operand.
    const double smallest_normal = std::ldexp(1.0, accumulator.smallest_exponent);
    const double smallest_operand = std::ldexp(1.0, std::min(e.a.exponent, e.b.exponent));
    if (alpha_ != 1.0 && alpha_ * smallest_operand < smallest_normal) {
      underflow_ += half_step * terms * std::max(e.a.largest, e.b.largest);
    }
    if (truncates(problem) && e.k > 0) {
      // Results are cut off, not rounded; and a subnormal operand counts with the exponent of the
      // least normal one, which may be that of the largest addend.
      double floor = accumulator.smallest_step();
      if (may_be_subnormal(e.a, problem.type_a)) {
        floor += cut_at(problem.type_a, e.b.largest, tensor);
      }
      if (may_be_subnormal(e.b, problem.type_b)) {
        floor += cut_at(problem.type_b, e.a.largest, tensor);
      }
      underflow_ += 2.0 * alpha_ * terms * floor;  // at most 2 K addends over all steps
    }
    // Eigen's own sum, in any order. Products of two f32 or narrower values are exact in double.
    if (problem.accumulate == ScalarType::f64) {
      own_ = (2.0 * terms + 4.0) * kWideUnit;
      own_result_ = kUnit;
    } else if (e.k > 0) {
      own_ = (terms + 4.0) * kUnit;
    }
  }

  [[nodiscard]] bool statistical() const { return statistical_; }
  [[nodiscard]] double growth() const { return growth_; }

  /// `sum_error` is the error of the sum of products alone, at most growth() * S.
  [[nodiscard]] double tolerance(double value, const Magnitudes& m, double sum_error) const {
    const double sum = alpha_ * m.sum;
    const double epilogue = unit_ * (sum_roundings_ * (1.0 + growth_) * sum + c_roundings_ * m.c);
    // g |beta c|: an accumulator that starts from beta C takes it through every rounding.
    const double kernel = alpha_ * sum_error + growth_ * m.c + epilogue + underflow_;
    const double bound = (unit_out_ + own_result_) * std::abs(value) + (1.0 + unit_out_) * kernel +
                         own_ * (sum + m.c);
    return bound *
           (1.0 + 0x1p-20);  // products of roundoffs, and the rounding of S and of this line
  }

 private:
  /// What a product of the least normal number may be cut off at.
  static double cut_at(ScalarType type, double other, const TensorSums& tensor) {
    return std::ldexp(other, format(type).smallest_exponent + 1 - tensor.fraction_bits);
  }

  double unit_;
  double unit_out_;
  double alpha_;
  double growth_ = 0.0;
  double underflow_ = 0.0;
  double own_ = 0.0;         // of the reference: relative to the magnitudes summed
  double own_result_ = 0.0;  // and to the result
  int sum_roundings_ = 0;
  int c_roundings_ = 0;
  bool statistical_ = false;
};

/// What overflow in the accumulator and in D's type makes of an element.
class OverflowModel {
 public:
  OverflowModel(const Gemm& problem, const Effective& e, double growth)
      : threshold_(format(problem.accumulate).overflow_threshold()),
        safe_(threshold_ / ((1.0 + growth) * (1.0 + 0x1p-20))),
        outside_(format(problem.type_c).overflow_threshold()),
        alpha_(std::abs(e.alpha)),
        own_((static_cast<double>(e.k) + 4.0) * 0x1p-52),
        unscale_(alpha_ > 0.0 && alpha_ < 1.0 ? alpha_ : 1.0) {}

  /// Of the accumulator.
  [[nodiscard]] double threshold() const { return threshold_; }

  /// Whether no partial sum can overflow, whatever the order and wherever alpha is applied.
  [[nodiscard]] bool harmless(const Magnitudes& m) const {
    return std::max(m.sum, alpha_ * m.sum + m.c) < safe_;
  }

  /// Adjusts an exact value, possibly not finite by its operands, and its tolerance.
  void apply(const Magnitudes& m, double& value, double& tolerance) const {
    const bool is_harmless = harmless(m);
    if (!std::isfinite(value)) {
      // NaN operands, infinity times zero and infinity minus infinity give NaN in any order. An
      // infinity becomes NaN where finite terms first overflow to the opposite one.
      tolerance = std::isnan(value) || is_harmless ? 0.0 : kInfinity;
      return;
    }
    const double magnitude = std::abs(value);
    if (!is_harmless) {
      // Terms against the sign of the value: where these alone cannot overflow, an infinity that
      // arises has the sign of the value, and stays.
      const double scaled = alpha_ * m.sum + m.c;
      const double against = 0.5 * (scaled - magnitude + own_ * scaled) / unscale_;
      if (!(against < safe_ && magnitude + tolerance >= threshold_)) {
        tolerance = kInfinity;  // the order decides between the value, an infinity and NaN
        return;
      }
    }
    if (magnitude - tolerance >= outside_) {
      value = std::copysign(kInfinity, value);
      tolerance = 0.0;
    }
  }

 private:
  double threshold_;
  double safe_;  // the same with room for the rounding errors of a partial sum
  double outside_;
  double alpha_;
  double own_;      // relative error of a sum in double, and of its sum of magnitudes
  double unscale_;  // the factor by which alpha shrinks a sum, at most 1
};

}  // namespace

const char* name(Bound bound) {
  constexpr std::array kNames = {"exact", "any-order", "statistical", "running"};
  return kNames[static_cast<std::size_t>(bound)];
}

bool Expected::accepts(std::int64_t row, std::int64_t column, double got) const {
  const double right = value(row, column);
  const double allowed = tolerance(row, column);
  if (std::isinf(allowed)) return true;
  if (std::isnan(right)) return std::isnan(got);
  if (std::isinf(right)) return got == right;
  if (std::isinf(got)) {
    return std::copysign(1.0, got) * right + allowed >= overflow_threshold;
  }
  return std::abs(got - right) <= allowed;  // false for NaN
}

Expected gemm(const Gemm& problem) {
  check_extents(problem);
  const Effective e(problem);
  const std::int64_t columns = problem.b.columns;

  Expected expected;
  expected.overflow_threshold = format(problem.type_c).overflow_threshold();
  expected.bound = Bound::exact;
  expected.tolerance = Matrix(problem.a.rows, columns);
  expected.value = problem.accumulate == ScalarType::f64 ? evaluated<long double>(problem, e)
                                                         : evaluated<double>(problem, e);
  std::vector<double>& values = expected.value.values;

  const RoundingModel rounding(problem, e);
  const OverflowModel overflow(problem, e, rounding.growth());
  // Sums of magnitudes are formed in double, where those of f64 round.
  const double room = problem.accumulate == ScalarType::f64
                          ? 1.0 - (static_cast<double>(e.k) + 4.0) * 2.0 * kUnit
                          : 1.0;
  const double limit = room * exact_limit(exact_accumulator(problem, e), grid_of(e.alpha), e.a, e.b,
                                          grid_of(e.beta), e.c, e.bias);
  const auto exact = [&](const Magnitudes& m) {
    return std::abs(e.alpha) * m.sum + m.c <= limit && overflow.harmless(m);
  };
  const Magnitudes most{static_cast<double>(e.k) * e.a.largest * e.b.largest,
                        std::abs(e.beta) * e.c.largest + e.bias.largest};
  const bool rounds_out = problem.type_c != problem.accumulate;
  // Larger ones overflow in a kernel that applies alpha to them first.
  const double largest_operand = overflow.threshold() / std::max(1.0, std::abs(e.alpha));
  if (exact(most) && std::max(e.a.largest, e.b.largest) < largest_operand) {
    if (rounds_out) {
      for (double& value : values) value = round_to(problem.type_c, value);
    }
    return expected;
  }
  require(!format(problem.accumulate).integer,
          fmt::format("reference: partial sums up to {:.6g} in {}, expected at most {:.6g}",
                      std::abs(e.alpha) * most.sum + most.c, warpcheck::name(problem.accumulate),
                      format(problem.accumulate).largest));

  Matrix sums;
  if (e.k > 0) sums = sums_of_magnitudes(problem, largest_operand);
  const bool running = problem.order == Order::ascending && e.k > 0;
  const Matrix prefix_error =
      running ? running_error(problem.a, problem.b, unit_roundoff(problem.accumulate),
                              0.5 * format(problem.accumulate).smallest_step())
              : Matrix();
  const Bound wanted = running                  ? Bound::running
                       : rounding.statistical() ? Bound::statistical
                                                : Bound::any_order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Magnitudes m;
    if (e.k > 0) m.sum = sums.values[i];
    if (e.beta != 0.0) {
      const double c = problem.c.values[i];
      if (std::isfinite(c)) m.c = std::abs(e.beta * c);
    }
    if (!problem.bias.values.empty()) {
      const double bias = std::abs(problem.bias.values[i % static_cast<std::size_t>(columns)]);
      if (std::isfinite(bias)) m.c += bias;
    }
    double& value = values[i];
    if (std::isfinite(value) && exact(m)) {
      if (rounds_out) value = round_to(problem.type_c, value);
      continue;
    }
    double sum_error = rounding.growth() * m.sum;
    if (running && prefix_error.values[i] < sum_error) sum_error = prefix_error.values[i];
    double& tolerance = expected.tolerance.values[i];
    tolerance = rounding.tolerance(value, m, sum_error);
    overflow.apply(m, value, tolerance);
    if (tolerance > 0.0) expected.bound = wanted;
  }
  return expected;
}

}  // namespace warpcheck::reference
