#include "campaign/shrink/measure.hpp"

#include <algorithm>
#include <cmath>

namespace warpcheck::campaign::shrink {
namespace {

using Kind = CaseField::Kind;

int factor_complexity(double value, double simplest) {
  if (value == simplest) return 0;
  if (value == 0.0 || value == 1.0) return 1;
  return value == std::trunc(value) ? 2 : 3;
}

}  // namespace

std::int64_t padding(const contract::Contract& contract, const CaseField& stride,
                     const Case& problem) {
  const std::int64_t stated = stride.is_taken ? stride.get(problem) : 0;
  return stated == 0 ? 0 : stated - tight_stride(contract, problem, stride.name);
}

Measure measure(const contract::Contract& contract, const CaseSchema& schema, const Case& problem) {
  Measure result;
  for (const CaseField& field : schema.fields) {
    const std::int64_t value = field.get(problem);
    switch (field.kind) {
      case Kind::extent:
      case Kind::batch:
        result.sizes += value;
        result.largest_size = std::max(result.largest_size, value);
        break;
      case Kind::transposition:
      case Kind::order:
        result.transposes += value != 0 ? 1 : 0;
        break;
      case Kind::leading_dimension:
      case Kind::batch_stride:
        result.padding += padding(contract, field, problem);
        break;
      case Kind::offset:
        result.offsets += value;
        break;
      case Kind::factor:
        result.factors += factor_complexity(field.number(problem), field.default_number);
        break;
    }
  }
  result.data = problem.data;
  result.seed = problem.seed;
  return result;
}

}  // namespace warpcheck::campaign::shrink
