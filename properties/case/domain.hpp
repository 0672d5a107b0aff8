// A contract's domain: what its expressions say of a case.
#pragma once

#include <optional>
#include <string>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties {

/// The names of a contract's expressions: m, n, k, ta and tb (1: transposed), the effective leading
/// dimensions, batch, its effective strides, alpha and beta where they are whole numbers; addresses
/// come from the offsets. Refers to both arguments.
[[nodiscard]] contract::Bindings bindings(const contract::Contract& contract, const Case& problem);

/// The first conjunct of `requires` that does not hold, or has no value; empty inside the domain.
[[nodiscard]] std::optional<std::string> violated(const contract::Contract& contract,
                                                  const Case& problem);

}  // namespace warpcheck::properties
