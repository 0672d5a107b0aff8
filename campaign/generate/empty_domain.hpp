// The error of a contract for which no case can be generated.
#pragma once

#include <optional>

#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Throws InputError, located at the conditions that contradict one another, at an extent of a
/// launch that has no value in any case, or at the contract.
[[noreturn]] void throw_empty_domain(const contract::Contract& contract,
                                     const std::optional<Conflict>& conflict);

}  // namespace warpcheck::campaign::generate
