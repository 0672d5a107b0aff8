// The references of contracts, and the terms that a comparison with one shows.
#pragma once

#include <memory>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::checks {

/// Throws InputError if the contract has no reference.
void require_reference(const contract::Contract& contract);

/// Makes a function of the host the reference of the contract. Returns false, and changes nothing,
/// if the operation has a reference of its own.
[[nodiscard]] bool set_reference(contract::Contract& contract,
                                 const std::shared_ptr<operation::HostFunction>& function);

/// Makes each value right if the contract has no reference: a run then shows whether it is safe.
void accept_all_values(contract::Contract& contract);

/// Returns true if the data of the case can expose the loss of a single term: an output has an
/// element, and an input.
[[nodiscard]] bool shows_terms(const contract::Contract& contract, const Case& problem);

}  // namespace warpcheck::campaign::checks
