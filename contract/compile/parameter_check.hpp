// Whether a contract's arguments fit the kernel's parameters.
#pragma once

#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

/// Of one launch: one error for a different number of them, or else one for every argument whose
/// size or kind is not its parameter's. Located in the contract, without excerpts.
[[nodiscard]] std::vector<Diagnostic> check_parameters(const Contract& contract,
                                                       const LaunchStep& step, const Entry& entry);

}  // namespace warpcheck::contract
