// The domain of a contract: its expressions, evaluated for a case.
#pragma once

#include <optional>
#include <string>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

/// Returns the values of the names in a contract's expressions: m, n, k, ta and tb (1: transposed),
/// the effective leading dimensions, batch, the effective batch strides, and alpha and beta if they
/// are whole numbers. Addresses follow from the offsets. Refers to both arguments.
[[nodiscard]] contract::Bindings bindings(const contract::Contract& contract, const Case& problem);

/// Returns true if the case executes the launch: its `when` is true, or absent.
[[nodiscard]] bool applies(const contract::Contract& contract, const contract::LaunchStep& step,
                           const Case& problem);

/// Returns the first conjunct of `requires` that is false or has no value; empty inside the domain.
[[nodiscard]] std::optional<std::string> violated(const contract::Contract& contract,
                                                  const Case& problem);

}  // namespace warpcheck::campaign
