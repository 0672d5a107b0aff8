#include "workflows/diff/tensor_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "campaign/case/tensor_case.hpp"
#include "campaign/run/problem.hpp"
#include "contract/contract_words.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "workflows/diff/differences.hpp"

namespace warpcheck::workflows::diff::tensor {
namespace {

using contract::Contract;

bool same_shapes(const std::vector<operation::Tensor>& one,
                 const std::vector<operation::Tensor>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const operation::Tensor& x, const operation::Tensor& y) {
                      return x.name == y.name && x.shape == y.shape && x.integer == y.integer;
                    });
}

/// The arithmetic of an operation of the language: "f32 with fast functions".
std::string computed_in(const Contract& contract) {
  std::string text(name(contract.accumulate));
  if (contract.tensor_cores) text += " on tensor cores";
  if (contract.fast_math) text += " with fast functions";
  for (const auto& [tensor, type] : contract.tensors->intermediate_types) {
    text += fmt::format(", {} in {}", tensor, name(type));
  }
  return text;
}

}  // namespace

bool same_definition(const Contract& one, const Contract& other) {
  if (one.tensors == other.tensors) return true;
  const operation::Operation& x = one.tensors->operation;
  const operation::Operation& y = other.tensors->operation;
  return x.extents == y.extents && x.scalars == y.scalars && same_shapes(x.inputs, y.inputs) &&
         same_shapes(x.outputs, y.outputs) && print(x) == print(y);
}

/// The operands do not depend on the type in which a kernel computes.
void join_types(JoinedTypes& types) {
  const Contract& other = types.other;
  auto typed = std::make_shared<contract::TypedOperation>(*types.joint.tensors);
  for (auto& [tensor, type] : typed->types) {
    const ScalarType second = other.tensors->types.find(tensor)->second;
    if (typed->is_output(tensor) && type != second) {
      types.remarks.push_back(
          fmt::format("{} is {} in {} and {} in {}: the values are compared, not the bits", tensor,
                      name(type), types.one.name, name(second), other.name));
    } else {
      types.join(tensor, type, second);
    }
  }
  if (computed_in(types.joint) != computed_in(other)) {
    types.remarks.push_back(fmt::format("{} computes in {}, {} in {}: each has a bound of its own",
                                        types.one.name, computed_in(types.joint), other.name,
                                        computed_in(other)));
  }
  types.joint.tensors = std::move(typed);
}

std::optional<ElementDifference> largest_difference(
    const campaign::run::Problem& problem, const std::vector<campaign::run::Output>& before,
    const std::vector<campaign::run::Output>& after) {
  std::map<std::string, reference::ExpectedTensor, std::less<>> expected;
  Differences differences;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto judge = [&](std::int64_t row, std::int64_t column, double one, double other) {
      if (expected.empty()) {
        expected = reference::evaluate(campaign::run::tensor_problem(problem));
      }
      const reference::ExpectedTensor& tensor = expected.find(before[i].place.name)->second;
      const auto at = static_cast<std::size_t>(row * before[i].place.columns + column);
      return Judged{tensor.value.values[at], tensor.tolerance[at],
                    tensor.accepts(at, one) && tensor.accepts(at, other)};
    };
    differences.add(before[i], after[i], judge);
  }
  return differences.largest(problem.line);
}

}  // namespace warpcheck::workflows::diff::tensor
