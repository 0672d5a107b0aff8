#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "campaign/case/schema.hpp"
#include "campaign/interpret/exchange.hpp"
#include "campaign/interpret/interpret.hpp"
#include "campaign/interpret/layout_interpretations.hpp"

namespace warpcheck::campaign::interpret {
namespace {

using contract::Contract;
using operation::Tensor;
using Kind = CaseField::Kind;

/// Adds the contracts with two of these arguments exchanged, alone and with the axes of the grid.
/// `can_exchange` receives the numbers of two names.
template <class CanExchange>
void add_exchanges(const Contract& contract, const std::vector<std::string>& names,
                   std::vector<Interpretation>& all, const CanExchange& can_exchange) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      if (!can_exchange(i, j)) continue;
      if (!is_passed(contract, names[i]) || !is_passed(contract, names[j])) continue;
      all.push_back(with_arguments_exchanged(contract, names[i], names[j]));
      all.push_back(with_grid_exchanged(all.back()));
    }
  }
}

void add_exchanges(const Contract& contract, const CaseSchema& schema, Kind kind,
                   std::vector<Interpretation>& all) {
  std::vector<std::string> names;
  for (const std::size_t field : schema.fields_of_kind(kind))
    names.push_back(schema.fields[field].name);
  add_exchanges(contract, names, all, [](std::size_t, std::size_t) { return true; });
}

/// The contract with an input of distinct integers.
Interpretation with_distinct(Contract contract, const std::string& input,
                             operation::Distinct distinct) {
  auto typed = std::make_shared<contract::TypedOperation>(*contract.tensors);
  for (auto* const tensors : {&typed->operation.inputs, &typed->tensors}) {
    for (Tensor& tensor : *tensors) {
      if (tensor.name == input) tensor.distinct = distinct;
    }
  }
  contract.tensors = std::move(typed);
  return {fmt::format("distinct = {} for the input `{}`",
                      distinct == operation::Distinct::all ? "true" : "\"rows\"", input),
          std::move(contract), true};
}

void add_distinct_integers(const Contract& contract, std::vector<Interpretation>& all) {
  for (const Tensor& input : contract.tensors->operation.inputs) {
    if (!input.integer || !input.range || input.distinct != operation::Distinct::none) continue;
    if (input.shape.size() > 1) {
      all.push_back(with_distinct(contract, input.name, operation::Distinct::in_rows));
    }
    all.push_back(with_distinct(contract, input.name, operation::Distinct::all));
  }
}

}  // namespace

std::vector<Interpretation> interpretations(const Contract& contract) {
  const CaseSchema schema = case_schema(contract);
  std::vector<Interpretation> all = layout_interpretations(contract);
  all.push_back(with_grid_exchanged({"", contract}));
  add_exchanges(contract, schema, Kind::extent, all);
  std::vector<std::string> operands;
  for (const OperandShape& operand : schema.operands) operands.push_back(operand.argument);
  add_exchanges(contract, operands, all, [&](std::size_t one, std::size_t other) {
    return schema.operands[one].type == schema.operands[other].type;
  });
  add_exchanges(contract, schema, Kind::factor, all);
  if (schema.reads_integers) add_distinct_integers(contract, all);
  return all;
}

}  // namespace warpcheck::campaign::interpret
