// Grids of operations of the language that exceed the limit of a launch.
#pragma once

#include <vector>

#include "campaign/generate/constraints/domain_rules.hpp"
#include "campaign/generate/constraints/grid_extents.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// See undeclared_axes(); only axes along y and z.
[[nodiscard]] std::vector<GridAxis> undeclared_axes_of_tensors(const contract::Contract& contract);

/// See grid_limits.hpp. `domain` includes cases with such grids.
[[nodiscard]] GridExtents grid_extents_of_tensors(const contract::Contract& contract,
                                                  const TensorDomain& domain);

}  // namespace warpcheck::campaign::generate
