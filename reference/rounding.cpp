#include "reference/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/bound.hpp"
#include "reference/certain_sums.hpp"

namespace warpcheck::reference {
namespace {

constexpr double kStatisticalFailure =
    1e-12;  // probability that a correct result exceeds the bound
constexpr double kWideUnit = std::numeric_limits<long double>::epsilon() / 2.0L;

/// True if the product of any element of A and any one of B is a double.
bool products_are_doubles(const Gemm& problem) {
  const auto is_short = [](ScalarType type) { return 2 * format(type).precision <= 53; };
  return is_short(problem.type_a) && is_short(problem.type_b);
}

/// True if a product with the value does not round.
bool scales_exactly(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

/// The truncation of a product of the smallest normal number and `other`.
double truncation_of(ScalarType type, double other, const TensorSums& tensor) {
  return std::ldexp(other, format(type).smallest_exponent + 1 - tensor.fraction_bits);
}

/// For any signs of the errors.
double growth_over(const Gemm& problem, std::int64_t path) {
  const double unit = unit_roundoff(problem.accumulate);
  return truncates(problem) ? tensor_growth(path, tensor_sums(problem.type_a), unit)
                            : any_order_growth(path, unit);
}

}  // namespace

double RoundingModel::largest_growth(const Gemm& problem, const Effective& e) {
  return growth_over(problem, longest_path(e.k, problem.split_k));
}

RoundingModel::RoundingModel(const Gemm& problem, const Effective& e)
    : unit_(unit_roundoff(problem.accumulate)),
      unit_out_(problem.type_c == problem.accumulate ? 0.0 : unit_roundoff(problem.type_c)),
      alpha_(std::abs(e.alpha)) {
  std::int64_t path = longest_path(e.k, problem.split_k);
  // Tensor cores truncate once per step of several products, zeros included.
  std::int64_t nonzero = e.k;
  if (!truncates(problem)) {
    nonzero = most_terms(problem.a, problem.b);
    path = std::min(path, nonzero);
    // If no product rounds, there is one rounding fewer than terms (Jeannerod and Rump 2013,
    // section 3), unless a kernel rounds alpha a_ik first.
    const bool exact =
        scales_exactly(e.alpha) && e.products_are_exact(problem, format(problem.accumulate));
    if (exact && path > 0) --path;
  }
  growth_ = growth_over(problem, path);
  certain_terms_ = products_are_doubles(problem) ? nonzero : 2 * nonzero;
  const double terms = static_cast<double>(e.k);
  // The truncation errors of tensor cores have the signs of the truncated values, not mean zero.
  if (problem.mean_zero && !truncates(problem) && e.k > 0) {
    const double all_terms = terms * static_cast<double>(problem.a.rows * problem.b.columns);
    const double likely = statistical_growth(path, all_terms, kStatisticalFailure, unit_);
    statistical_ = likely < growth_;
    growth_ = std::min(growth_, likely);
  }
  sum_roundings_ = (scales_exactly(e.alpha) ? 0 : 1) + e.final_sums();
  c_roundings_ = (scales_exactly(e.beta) ? 0 : 1) + e.final_sums();

  add_underflow(problem, e);
  if (truncates(problem) && e.k > 0) add_truncation(problem, e);
  // The error of Eigen's sum in any order, and of its rounding to what is certain. Products of f32
  // or narrower values are exact in double.
  if (problem.accumulate == ScalarType::f64) {
    own_ = (2.0 * terms + 4.0) * kWideUnit;
    own_result_ = kDoubleUnit;
  } else if (e.k > 0) {
    own_ = (terms + 4.0) * kDoubleUnit + CertainSums(certain_terms_).value_growth();
  }
}

void RoundingModel::add_underflow(const Gemm& problem, const Effective& e) {
  // A rounding with a subnormal result has an error of half a step: K products and the scalings by
  // alpha and beta. Subnormal sums of values of a format are exact.
  const double terms = static_cast<double>(e.k);
  const Format& accumulator = format(problem.accumulate);
  const double half_step = 0.5 * accumulator.smallest_step();
  if (e.k > 0) underflow_ += half_step * (alpha_ * terms + 2.0);
  if (e.beta != 0.0 && std::abs(e.beta) != 1.0) underflow_ += half_step;
  if (unit_out_ != 0.0) underflow_ += 0.5 * format(problem.type_c).smallest_step();
  // If alpha a_ik or alpha b_kj can be subnormal, a kernel that multiplies an operand by alpha
  // first multiplies the error of half a step by the other operand.
  const double smallest_normal = std::ldexp(1.0, accumulator.smallest_exponent);
  const double smallest_operand = std::ldexp(1.0, std::min(e.a.exponent, e.b.exponent));
  if (alpha_ != 1.0 && alpha_ * smallest_operand < smallest_normal) {
    underflow_ += half_step * terms * std::max(e.a.largest, e.b.largest);
  }
}

void RoundingModel::add_truncation(const Gemm& problem, const Effective& e) {
  const TensorSums tensor = tensor_sums(problem.type_a);
  // Results are truncated, not rounded. A subnormal operand counts with the exponent of the
  // smallest normal number, which may be the exponent of the largest addend.
  double floor = format(problem.accumulate).smallest_step();
  if (may_be_subnormal(e.a, problem.type_a)) {
    floor += truncation_of(problem.type_a, e.b.largest, tensor);
  }
  if (may_be_subnormal(e.b, problem.type_b)) {
    floor += truncation_of(problem.type_b, e.a.largest, tensor);
  }
  const double addends = 2.0 * static_cast<double>(e.k);  // an upper bound, over all steps
  underflow_ += alpha_ * addends * floor;
}

}  // namespace warpcheck::reference
