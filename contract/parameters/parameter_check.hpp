// Checks the arguments of a contract against the parameters of its kernel.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::contract {

/// The errors of one launch: one if the numbers of arguments and parameters differ, or one for
/// every argument whose size, kind or type of elements differs from that of its parameter. They are
/// located in the contract and have no excerpts.
[[nodiscard]] std::vector<Diagnostic> check_parameters(const Contract& contract,
                                                       const LaunchStep& step,
                                                       const ptx::EntryPoint& entry);

/// The conditions under which the parameters can hold the arguments that are expressions: "m * k <=
/// 4294967295". A case for which an expression has no value does not satisfy them.
[[nodiscard]] std::vector<Expression> parameter_conditions(const LaunchStep& step,
                                                           const ptx::EntryPoint& entry);

}  // namespace warpcheck::contract
