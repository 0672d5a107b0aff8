// Laws of elements that the definition of a result does not read: masked ones, those of other rows,
// and padding within a tensor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/laws.hpp"
#include "properties/slices.hpp"
#include "properties/vocabulary.hpp"
#include "reference/evaluate/tensor_evaluation.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties {
namespace {

using campaign::Placement;
using campaign::judge::Place;
using reference::ElementReads;
using reference::ExpectedTensors;

bool is_integer(const Contract& contract, const operation::Tensor& input) {
  return input.integer ||
         reference::format(contract.tensors->types.find(input.name)->second).integer;
}

/// True if the contract admits NaN, or at least infinity, among the elements of the input.
bool may_be_special(const Contract& contract, const operation::Tensor& input) {
  if (is_integer(contract, input) || input.finite || input.sorted || input.range) return false;
  const ScalarType type = contract.tensors->types.find(input.name)->second;
  return input.nan || std::isinf(reference::round_to(type, HUGE_VAL));
}

bool has_special_inputs(const Contract& contract) {
  if (!campaign::has_definition(contract)) return false;
  const operation::Operation& operation = contract.tensors->operation;
  return !operation.statements.empty() &&
         std::ranges::any_of(operation.inputs, [&](const operation::Tensor& input) {
           return may_be_special(contract, input);
         });
}

/// The element of an output that must not change.
struct Spared {
  std::string output;
  std::size_t element = 0;
};

/// An element of the outputs, which the seed of the case chooses.
std::optional<Spared> spared_element(const Case& problem, const ExpectedTensors& outputs) {
  std::vector<Spared> all;
  for (const auto& [name, expected] : outputs) {
    const auto count = static_cast<std::int64_t>(expected.value.values.size());
    if (count == 0) continue;
    all.push_back({name, static_cast<std::size_t>(random_below(problem, 6, count))});
  }
  if (all.empty()) return std::nullopt;
  return all[static_cast<std::size_t>(
      random_below(problem, 7, static_cast<std::int64_t>(all.size())))];
}

/// The value of the elements that are not read: infinity for an input without NaN, and for the
/// others in every second case.
double special_value(const Contract& contract, const Case& problem,
                     const operation::Tensor& input) {
  const ScalarType type = contract.tensors->types.find(input.name)->second;
  const bool has_infinity = std::isinf(reference::round_to(type, HUGE_VAL));
  const bool is_infinite = !input.nan || (has_infinity && random_below(problem, 8, 2) != 0);
  return is_infinite ? HUGE_VAL : std::nan("");
}

/// Sets the elements that are not read. Returns their number.
std::size_t spoil(const Contract& contract, const Case& problem, const ElementReads::Elements& read,
                  run::Operands& operands) {
  std::size_t spoilt = 0;
  for (const operation::Tensor& input : contract.tensors->operation.inputs) {
    if (!may_be_special(contract, input)) continue;
    std::vector<double>& values = operands.tensors.at(input.name).values;
    const std::vector<bool>& is_read = read.find(input.name)->second;
    const double value = special_value(contract, problem, input);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_read[i]) continue;
      values[i] = value;
      ++spoilt;
    }
  }
  return spoilt;
}

CheckResult keeps_unread_elements_out(run::Runner& runner, const Case& problem) {
  const Inputs inputs(runner, problem);
  const Contract& contract = inputs.contract();
  if (!has_special_inputs(contract)) return {};
  const run::Problem before = inputs.usual();
  const reference::TensorProblem tensors = run::tensor_problem(before);
  const reference::TensorEvaluation evaluation(tensors);
  const ExpectedTensors& expected = evaluation.outputs();
  const auto spared = spared_element(problem, expected);
  if (!spared) return {};
  run::Operands operands = inputs.operands();
  const auto read = evaluation.elements_read(spared->output, spared->element);
  if (spoil(contract, problem, read, operands) == 0) return {};
  const run::Problem after = inputs.with(std::move(operands));
  const auto changed = expected_outputs(runner, after);
  const auto position = [](const Placement& output, Place element) {
    return static_cast<std::size_t>(element.row * output.columns + element.column);
  };
  // Other elements read what is spoilt. Where it does not change them, they are compared as well.
  const auto origin = [&](const Placement& output, Place element) -> std::optional<Place> {
    const std::size_t at = position(output, element);
    const double value = expected.find(output.name)->second.value.values[at];
    const bool is_same = changed->find(output.name)->second.value.values[at] == value;
    return is_same ? std::optional(element) : std::nullopt;
  };
  const auto allows = [&](const Placement& output, Place element, double got, double old) {
    const std::size_t at = position(output, element);
    return expected.find(output.name)->second.accepts(at, old) &&
           changed->find(output.name)->second.accepts(at, got);
  };
  return same_bits(runner, {"the inputs as generated", before},
                   {"NaN or infinity in the elements that it does not read", after},
                   {.origin = origin, .allows = allows});
}

}  // namespace

const Law kUnreadElementsStayOut = {
    .name = "unread-elements-stay-out",
    .sentence = "NaN and infinity in the elements that a result does not read stay out of it",
    .applies = has_special_inputs,
    .adapted = as_generated,
    .check = keeps_unread_elements_out,
    .broken_by = "d81_masks_by_a_factor_of_zero",
};

}  // namespace warpcheck::properties
