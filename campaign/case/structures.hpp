// The structures that the inputs of an operation of the language can have.
#pragma once

#include <vector>

#include "base/scalar_type.hpp"
#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::tensor {

/// True if the elements of the input follow from a range, or are positions.
[[nodiscard]] inline bool is_ranged(const operation::Tensor& tensor) {
  return tensor.integer || tensor.range;
}

/// True if elements of the input may be NaN or infinite.
[[nodiscard]] inline bool may_be_special(const operation::Tensor& tensor) {
  return !tensor.finite && !tensor.sorted && !is_ranged(tensor);
}

/// True if the input of this type can have the structure. A reference in double does not bound the
/// errors of large numbers.
[[nodiscard]] bool can_have(Recipe recipe, const operation::Tensor& tensor, ScalarType type,
                            bool may_overflow);

/// Returns the recipes of structures that an input of the operation can have. None are
/// subnormal if a correct kernel may take them for 0 and the reference has no bound for it: with
/// fast math, and if it is a function of the host.
[[nodiscard]] std::vector<Recipe> structures(const contract::Contract& contract);

}  // namespace warpcheck::campaign::tensor
