#include "properties/generate/sampling/search_variables.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "properties/case/operand.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::Contract;
using contract::Layout;
using Variables = std::set<std::size_t>;

/// Returns the variables that decide an effective leading dimension or batch stride.
Variables variables_of(const Contract& contract, const StrideField& stride) {
  const OperandFields& operand = fields(stride.operand);
  const StrideField& leading = operand.leading_dimension;
  const bool is_batch_stride = stride.kind == StrideField::Kind::batch_stride;
  if (is_batch_stride && stride.taken_by(contract)) return {variable_of(stride.field)};
  Variables variables;
  if (operand.transpose_word && contract.takes(*operand.transpose_word)) {
    variables.insert(
        {variable_of(operand.rows), variable_of(operand.columns), variable_of(operand.transposed)});
  }
  const bool by_row = contract.*operand.layout == Layout::row;
  if (leading.taken_by(contract)) {
    variables.insert(variable_of(leading.field));
  } else {
    variables.insert(variable_of(by_row ? operand.columns : operand.rows));
  }
  if (is_batch_stride) variables.insert(variable_of(by_row ? operand.rows : operand.columns));
  return variables;
}

bool is_stride(const SearchVariable& variable) {
  return variable.kind == SearchVariable::Kind::leading_dimension ||
         variable.kind == SearchVariable::Kind::batch_stride;
}

}  // namespace

std::int64_t SearchVariable::get(const Case& problem) const {
  return std::visit(
      [&](auto field) -> std::int64_t {
        if constexpr (std::is_same_v<decltype(field), double Case::*>) {
          return std::llround(problem.*field);
        } else {
          return problem.*field;
        }
      },
      member);
}

void SearchVariable::set(Case& problem, std::int64_t value) const {
  std::visit(
      [&](auto field) {
        using Value = std::remove_reference_t<decltype(problem.*field)>;
        problem.*field = static_cast<Value>(value);
      },
      member);
}

std::size_t variable_of(SearchVariable::Member member) {
  const auto found =
      std::find_if(kSearchVariables.begin(), kSearchVariables.end(),
                   [&](const SearchVariable& variable) { return variable.member == member; });
  return static_cast<std::size_t>(found - kSearchVariables.begin());
}

std::set<std::size_t> variables_of(const Contract& contract, const std::string& name) {
  for (const Operand matrix : kMatrices) {
    const OperandFields& operand = fields(matrix);
    for (const StrideField& stride : {operand.leading_dimension, operand.batch_stride}) {
      if (name == contract::name(stride.word)) return variables_of(contract, stride);
    }
  }
  for (const Operand operand : kOperands) {
    const std::string alignment = "aligned:" + std::string(contract::name(fields(operand).address));
    if (name == alignment) return {variable_of(fields(operand).offset)};
  }
  for (std::size_t i = 0; i < kSearchVariables.size(); ++i) {
    if (name == kSearchVariables[i].name && !is_stride(kSearchVariables[i])) return {i};
  }
  return {};
}

}  // namespace warpcheck::properties::generate
