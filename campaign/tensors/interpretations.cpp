#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/interpret/exchange.hpp"
#include "campaign/interpret/interpretation_model.hpp"

namespace warpcheck::campaign::interpret {
namespace {

using contract::Contract;
using operation::Tensor;

constexpr double kMostSteps = 0x1p21;  // most steps of a suitable case

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Returns the pairs of arguments of one kind.
template <class CanExchange>
Pairs pairs(const Contract& contract, const std::vector<std::string>& names,
            const CanExchange& can_exchange) {
  Pairs found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      if (!can_exchange(names[i], names[j])) continue;
      if (is_passed(contract, names[i]) && is_passed(contract, names[j])) {
        found.emplace_back(names[i], names[j]);
      }
    }
  }
  return found;
}

Pairs pairs_of_tensors(const Contract& contract) {
  std::vector<std::string> names;
  for (const Tensor& tensor : contract.tensors->tensors) names.push_back(tensor.name);
  const auto& types = contract.tensors->types;
  return pairs(contract, names, [&](const std::string& one, const std::string& other) {
    return types.find(one)->second == types.find(other)->second;
  });
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

class TensorInterpretationModel final : public InterpretationModel {
 public:
  std::vector<Interpretation> interpretations(const Contract& contract) const override {
    const operation::Operation& operation = contract.tensors->operation;
    const auto any = [](const std::string&, const std::string&) { return true; };
    const Pairs extents = pairs(contract, operation.extents, any);
    std::vector<Interpretation> all;
    all.push_back(with_grid_exchanged({"", contract}));
    for (const auto& [one, other] : extents) {
      all.push_back(with_arguments_exchanged(contract, one, other));
      all.push_back(with_grid_exchanged(all.back()));
    }
    for (const Pairs& others :
         {pairs_of_tensors(contract), pairs(contract, operation.scalars, any)}) {
      for (const auto& [one, other] : others) {
        all.push_back(with_arguments_exchanged(contract, one, other));
      }
    }
    for (const Tensor& input : operation.inputs) {
      if (!input.integer || !input.range || input.distinct != operation::Distinct::none) continue;
      if (input.shape.size() > 1) {
        all.push_back(with_distinct(contract, input.name, operation::Distinct::in_rows));
      }
      all.push_back(with_distinct(contract, input.name, operation::Distinct::all));
    }
    return all;
  }

  /// The extents differ, as far as the domain allows it.
  std::vector<Case> suitable_cases(const Contract& contract, std::size_t count) const override {
    constexpr std::array<std::int64_t, 8> kSizes = {3, 7, 5, 11, 2, 13, 17, 19};
    // Extents become parts of a tile, or several tiles.
    constexpr std::array<std::int64_t, 4> kScales = {1, 9, 4, 2};
    constexpr std::array<double, 4> kScalars = {0.5, 2.0, -1.0, 4.0};
    const generate::TensorDomain domain(contract);
    const generate::Solver solver = generate::limited_solver(contract);
    const operation::Operation& operation = contract.tensors->operation;
    std::vector<Case> cases;
    for (std::size_t i = 0; i < 4 * kSizes.size() && cases.size() < count; ++i) {
      Case target;
      target.variant = contract.name;
      for (std::size_t j = 0; j < operation.extents.size(); ++j) {
        const std::int64_t size = kSizes[(i + j) % kSizes.size()] * kScales[i % kScales.size()];
        target.set_value(operation.extents[j], static_cast<double>(size));
      }
      for (std::size_t j = 0; j < operation.scalars.size(); ++j) {
        target.set_value(operation.scalars[j], kScalars[(i + j) % kScalars.size()]);
      }
      target.seed = i;
      auto problem = solver.project(target);
      if (!problem || !domain.is_affordable(*problem, kMostSteps)) continue;
      if (std::find(cases.begin(), cases.end(), *problem) == cases.end()) {
        cases.push_back(std::move(*problem));
      }
    }
    return cases;
  }
};

}  // namespace

const InterpretationModel& InterpretationModel::of_tensors() {
  static const TensorInterpretationModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::interpret
