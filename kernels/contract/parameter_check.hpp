// Whether a contract's arguments fit the kernel's parameters.
#pragma once

#include <vector>

#include "kernels/contract/ptx_entries.hpp"

namespace warpcheck::kernels {

/// Of one launch: one error for a different number of them, or else one for every argument whose
/// size or kind is not its parameter's. Located in the contract, without excerpts.
[[nodiscard]] std::vector<Diagnostic> check_parameters(const Contract& contract,
                                                       const LaunchStep& step, const Entry& entry);

}  // namespace warpcheck::kernels
