// The features of kernels that only those of the product of matrices have.
#pragma once

#include "campaign/case/product.hpp"
#include "campaign/checks/traits.hpp"

namespace warpcheck::campaign::checks {

/// The contract is one of a product.
[[nodiscard]] bool product_has(Trait trait, const contract::Contract& contract);

}  // namespace warpcheck::campaign::checks
