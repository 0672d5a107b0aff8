#include "properties/case/domain.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "properties/case/operand.hpp"
#include "properties/case/tensor_case.hpp"

namespace warpcheck::properties {
namespace {

std::optional<std::int64_t> whole(double value) {
  if (!(std::fabs(value) <= 0x1p53) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// Returns the effective leading dimension or batch stride that has the name; empty if none has.
std::optional<std::int64_t> stride_named(const contract::Contract& contract, const Case& problem,
                                         std::string_view name) {
  for (const Operand matrix : kMatrices) {
    const OperandFields& operand = fields(matrix);
    for (const StrideField& stride : {operand.leading_dimension, operand.batch_stride}) {
      if (name == contract::name(stride.word)) return stride.effective(contract, problem);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> value_of(const contract::Contract& contract, const Case& problem,
                                     std::string_view name) {
  if (contract.tensors != nullptr) return tensor::value_of(contract, problem, name);
  if (name == "m") return problem.m;
  if (name == "n") return problem.n;
  if (name == "k") return problem.k;
  if (name == "alpha") return whole(problem.alpha);
  if (name == "beta") return whole(problem.beta);
  if (name == "ta") return problem.ta ? 1 : 0;
  if (name == "tb") return problem.tb ? 1 : 0;
  if (name == "batch") return problem.batch;
  return stride_named(contract, problem, name);
}

/// Returns the address of a buffer modulo 256.
std::optional<std::int64_t> address_of(const contract::Contract& contract, const Case& problem,
                                       std::string_view buffer) {
  if (contract.tensors != nullptr) return tensor::address_of(contract, problem, buffer);
  for (const Operand operand : kOperands) {
    const OperandFields& of = fields(operand);
    if (buffer != contract::name(of.address)) continue;
    const auto element = static_cast<std::int64_t>(size_of(contract.*of.type));
    return problem.*of.offset % 256 * element % 256;
  }
  if (buffer == contract::name(contract::ArgumentWord::workspace)) return 0;
  return std::nullopt;
}

}  // namespace

contract::Bindings bindings(const contract::Contract& contract, const Case& problem) {
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
    if (requirement.evaluate(names).value_or(0) != 0) continue;  // without a list of the conjuncts
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.evaluate(names).value_or(0) == 0) return conjunct.text();
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties
