#include "campaign/matrices/measure.hpp"

#include <algorithm>

#include "campaign/case/operand.hpp"

namespace warpcheck::campaign::shrink {
namespace {

int factor_complexity(double value, double simplest) {
  if (value == simplest) return 0;
  if (value == 0.0 || value == 1.0) return 1;
  return value == 2.0 ? 2 : 3;
}

}  // namespace

Measure measure(const contract::Contract& contract, const Case& problem) {
  Measure result;
  result.sizes = problem.m + problem.n + problem.k + problem.batch;
  result.largest_size = std::max({problem.m, problem.n, problem.k, problem.batch});
  result.transposes = (problem.ta ? 1 : 0) + (problem.tb ? 1 : 0);
  for (const StrideField& stride : stride_fields(contract)) {
    result.padding += stride.effective(contract, problem) - stride.tight(contract, problem);
  }
  for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::bias}) {
    result.offsets += problem.*fields(operand).offset;
  }
  result.factors = factor_complexity(problem.alpha, 1.0) + factor_complexity(problem.beta, 0.0);
  result.data = problem.data;
  result.seed = problem.seed;
  return result;
}

}  // namespace warpcheck::campaign::shrink
