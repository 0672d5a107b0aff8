// Cases of the product of matrices that meet the conditions of a property.
#pragma once

#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::checks {

[[nodiscard]] Case without_beta(const contract::Contract& contract, const Case& problem);
[[nodiscard]] Case without_alpha(const contract::Contract& contract, const Case& problem);
[[nodiscard]] Case without_k(const contract::Contract&, const Case& problem);
/// Values whose scaling can neither overflow nor underflow.
[[nodiscard]] Case scalable(const contract::Contract& contract, const Case& problem);
[[nodiscard]] Case one_hot(const contract::Contract&, const Case& problem);
/// Values that round, and every other time an alpha that rounds the product once more.
[[nodiscard]] Case one_product(const contract::Contract&, const Case& problem);
/// Values whose sums round, and nothing that rounds them once more.
[[nodiscard]] Case two_products(const contract::Contract& contract, const Case& problem);

}  // namespace warpcheck::properties::checks
