#include "reference/effective.hpp"

#include <algorithm>
#include <cmath>

#include "reference/bound.hpp"

namespace warpcheck::reference {

Effective::Effective(const Gemm& problem)
    : alpha(round_to(problem.accumulate, problem.alpha)),
      beta(round_to(problem.accumulate, problem.beta)),
      k(alpha == 0.0 ? 0 : problem.a.columns) {
  if (k > 0) a = grid_of(problem.a);
  if (k > 0) b = grid_of(problem.b);
  if (beta != 0.0) c = grid_of(problem.c);
  bias = grid_of(problem.bias);
}

bool Effective::products_are_exact(const Gemm& problem, const Format& accumulator) const {
  if (std::ldexp(1.0, a.exponent + b.exponent) < accumulator.smallest_step()) return false;
  const int precision = accumulator.precision;
  const int width_b = b.largest != 0.0 ? 1 : 0;  // a lower bound
  const int width_a = width_of(problem.a, precision - width_b + 1);
  return width_a + width_b <= precision &&
         width_a + width_of(problem.b, precision - width_a + 1) <= precision;
}

int Effective::final_sums() const {
  const int terms = (k > 0 ? 1 : 0) + (beta != 0.0 ? 1 : 0) + (bias.largest != 0.0 ? 1 : 0);
  return std::max(terms - 1, 0);
}

bool may_be_subnormal(const Grid& grid, ScalarType type) {
  return grid.exponent < format(type).smallest_exponent;
}

bool truncates(const Gemm& problem) {
  return problem.tensor_cores && !format(problem.accumulate).integer &&
         problem.accumulate != ScalarType::f64;
}

Format exact_accumulator(const Gemm& problem, const Effective& effective) {
  Format accumulator = format(problem.accumulate);
  if (!truncates(problem)) return accumulator;
  accumulator.precision =
      std::min(accumulator.precision, tensor_sums(problem.type_a).fraction_bits + 1);
  // A subnormal operand may raise the exponent at which the others are truncated.
  if (may_be_subnormal(effective.a, problem.type_a) ||
      may_be_subnormal(effective.b, problem.type_b)) {
    accumulator.smallest_exponent = 1 << 20;
  }
  return accumulator;
}

}  // namespace warpcheck::reference
