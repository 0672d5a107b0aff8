#include "campaign/case/normalized.hpp"

#include <algorithm>

#include "campaign/case/operand_layout.hpp"

namespace warpcheck::campaign {
namespace {

/// Returns true if an operand of the kernel has another stride than the tight one.
bool is_padded(const std::vector<OperandLayout>& operands, const CaseField& field,
               std::int64_t value) {
  bool is_padded = false;
  for (const OperandLayout& operand : operands) {
    for (const OperandLayout::Stride& stride : operand.strides) {
      if (stride.field.name != field.name || !stride.field.is_taken) continue;
      is_padded = is_padded || (value != 0 && value != stride.tight);
    }
  }
  return is_padded;
}

/// Returns true if an operand has this stride.
bool is_effective(const std::vector<OperandLayout>& operands, const CaseField& field,
                  std::int64_t value) {
  bool is_effective = false;
  for (const OperandLayout& operand : operands) {
    for (const OperandLayout::Stride& stride : operand.strides) {
      is_effective =
          is_effective || (stride.field.name == field.name && operand.effective(stride) == value);
    }
  }
  return is_effective;
}

}  // namespace

Case normalized(const contract::Contract& contract, Case problem) {
  const std::vector<CaseField> fields = case_fields(contract);
  for (const CaseField& field : fields) {
    if (!field.is_stride() && !field.is_taken) field.set_number(problem, field.default_number);
  }
  std::vector<OperandLayout> operands;
  if (states_stride(problem)) operands = operand_layouts(contract, problem);
  Case result = problem;
  result.values.clear();
  result.operation = contract.operation;
  if (problem.property == "matches-reference") result.property.clear();
  for (const CaseField& field : fields) {
    const bool is_reset = field.is_stride() && !is_padded(operands, field, field.get(problem));
    if (is_reset) {
      field.set(result, 0);
    } else {
      field.set_number(result, field.number(problem));
    }
  }
  return result;
}

std::string ignored_field(const contract::Contract& contract, const Case& problem) {
  const Case kept = normalized(contract, problem);
  const std::vector<CaseField> known = case_fields(contract);
  const std::vector<OperandLayout> operands = operand_layouts(contract, kept);
  for (const CaseField& field : stated_fields(problem)) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const CaseField& one) { return one.name == field.name; });
    const double number = field.number(problem);
    if (is_known ? number == field.number(kept) : number == 0.0) continue;
    if (field.is_stride() && is_effective(operands, field, field.get(problem))) continue;
    return field.name;
  }
  return {};
}

}  // namespace warpcheck::campaign
