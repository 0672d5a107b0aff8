#include "campaign/case/domain.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "campaign/case/operand_layout.hpp"
#include "campaign/case/operation_cases.hpp"

namespace warpcheck::campaign {

namespace {

using contract::Contract;

/// Empty for a number that is not whole.
std::optional<std::int64_t> exact_whole(double value) {
  if (!(std::fabs(value) <= 0x1p53) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> value_of(const Contract& contract, const Case& problem,
                                     std::string_view name) {
  if (const auto field = operation_cases(contract).named_field(contract, name)) {
    const double number = problem.number(field->name);
    return field->kind == FieldKind::factor ? exact_whole(number) : whole_number(number);
  }
  for (const OperandLayout& operand : operand_layouts(contract, problem, name)) {
    for (const OperandLayout::Stride& stride : operand.strides) {
      if (stride.name == name) return operand.effective(stride);
    }
  }
  return std::nullopt;
}

/// Returns the address of a buffer modulo 256; empty for an unknown name.
std::optional<std::int64_t> address_of(const Contract& contract, const Case& problem,
                                       std::string_view buffer) {
  for (const OperandLayout& operand : operand_layouts(contract, problem, buffer)) {
    if (operand.argument != buffer) continue;
    const auto element = static_cast<std::int64_t>(size_of(operand.place.type));
    return operand.place.offset % 256 * element % 256;
  }
  if (buffer == contract::name(contract::ArgumentWord::workspace)) return 0;
  return std::nullopt;
}

}  // namespace

contract::Bindings bindings(const Contract& contract, const Case& problem) {
  return {[&](std::string_view name) { return value_of(contract, problem, name); },
          [&](std::string_view buffer) { return address_of(contract, problem, buffer); }};
}

bool applies(const contract::Contract& contract, const contract::LaunchStep& step,
             const Case& problem) {
  return !step.when || step.when->evaluate(bindings(contract, problem)).value_or(0) != 0;
}

std::optional<std::string> violated(const contract::Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  for (const contract::Expression& requirement : contract.requires_) {
    if (requirement.evaluate(names).value_or(0) != 0) continue;  // makes no list of the conjuncts
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.evaluate(names).value_or(0) == 0) return conjunct.text();
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign
