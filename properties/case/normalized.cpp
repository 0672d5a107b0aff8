#include "properties/case/normalized.hpp"

#include <algorithm>

#include "properties/case/operand.hpp"
#include "properties/case/tensor_case.hpp"

namespace warpcheck::properties {
namespace {

using contract::ArgumentWord;
using contract::Contract;

/// Resets the fields of one kind that no matrix uses, or that equal the tight value. C and D share
/// a field.
void reset_unused(const Contract& contract, Case& problem, StrideField OperandFields::*stride) {
  for (const Operand matrix : {Operand::a, Operand::b, Operand::c}) {
    std::int64_t& value = problem.*(fields(matrix).*stride).field;
    const bool matters = std::any_of(kMatrices.begin(), kMatrices.end(), [&](Operand one) {
      const StrideField& of_one = fields(one).*stride;
      return of_one.field == (fields(matrix).*stride).field && of_one.taken_by(contract) &&
             value != of_one.tight(contract, problem);
    });
    if (!matters) value = 0;
  }
}

}  // namespace

Case normalized(const Contract& contract, Case problem) {
  if (contract.tensors != nullptr) return tensor::normalized(contract, problem);
  if (!contract.takes(ArgumentWord::ta)) problem.ta = false;
  if (!contract.takes(ArgumentWord::tb)) problem.tb = false;
  if (!contract.takes(ArgumentWord::batch)) problem.batch = 1;
  reset_unused(contract, problem, &OperandFields::leading_dimension);
  reset_unused(contract, problem, &OperandFields::batch_stride);
  if (!contract.takes(ArgumentWord::bias)) problem.off_bias = 0;
  if (!contract.takes(ArgumentWord::alpha)) problem.alpha = 1.0;
  if (!contract.takes(ArgumentWord::beta)) problem.beta = 0.0;
  if (problem.property == "matches-reference") problem.property.clear();
  return problem;
}

std::string ignored_field(const Contract& contract, const Case& problem) {
  if (contract.tensors != nullptr) return tensor::ignored_field(contract, problem);
  const Case kept = normalized(contract, problem);
  if (kept.ta != problem.ta) return "ta";
  if (kept.tb != problem.tb) return "tb";
  if (kept.batch != problem.batch) return "batch";
  for (const StrideField& stride : stride_fields(contract)) {
    const std::int64_t value = problem.*stride.field;
    if (kept.*stride.field != value && value != stride.effective(contract, kept)) {
      return std::string(stride.name);
    }
  }
  if (kept.off_bias != problem.off_bias) return "off_bias";
  if (kept.alpha != problem.alpha) return "alpha";
  return kept.beta != problem.beta ? "beta" : "";
}

}  // namespace warpcheck::properties
