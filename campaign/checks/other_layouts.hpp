// Cases with the operands in another layout.
#pragma once

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::checks {

/// The case with every leading dimension and stride that the contract takes, and that is tight,
/// wider by the least amount that `requires` allows; those that it pins stay.
[[nodiscard]] Case with_padding(const contract::Contract& contract, Case problem);

/// The case with bases moved off their 256-byte boundary by the least amount that `requires`
/// allows.
[[nodiscard]] Case with_shifted_bases(const contract::Contract& contract, Case problem);

}  // namespace warpcheck::campaign::checks
