#include "campaign/case/structures.hpp"

#include <algorithm>
#include <cmath>

#include "reference/format.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using operation::Tensor;

/// True if a correct kernel may take subnormal numbers for 0 and the reference has no bound for it:
/// with fast math, and where a function of the host is the reference of atomic additions.
bool may_flush(const contract::Contract& contract) {
  return contract.fast_math || contract.tensors->operation.statements.empty();
}

bool has_infinity(ScalarType type) { return std::isinf(reference::round_to(type, HUGE_VAL)); }

}  // namespace

bool can_have(Recipe recipe, const Tensor& tensor, ScalarType type, bool may_overflow) {
  if (recipe == Recipe::crowded) return is_ranged(tensor);
  if (!is_structured(recipe) || is_ranged(tensor)) return false;
  if (recipe == Recipe::ordered) return !tensor.sorted;
  const bool is_integer = reference::format(type).integer;
  if (is_integer && (recipe == Recipe::subnormal || recipe == Recipe::dominant)) return false;
  const bool has_large_numbers =
      recipe == Recipe::large || recipe == Recipe::dominant ||
      (recipe == Recipe::masked && !(may_be_special(tensor) && has_infinity(type)));
  return may_overflow || !has_large_numbers;
}

std::vector<Recipe> structures(const contract::Contract& contract) {
  const contract::TypedOperation& operation = *contract.tensors;
  std::vector<Recipe> found;
  for (int number = static_cast<int>(Recipe::special) + 1; number <= static_cast<int>(kLastRecipe);
       ++number) {
    const auto recipe = static_cast<Recipe>(number);
    if (recipe == Recipe::subnormal && may_flush(contract)) continue;
    const std::vector<Tensor>& inputs = operation.operation.inputs;
    const bool is_possible = std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
      return can_have(recipe, input, operation.types.find(input.name)->second, !operation.terms);
    });
    if (is_possible) found.push_back(recipe);
  }
  return found;
}

}  // namespace warpcheck::campaign::tensor
