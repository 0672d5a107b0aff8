// The operands and workspaces of a contract as buffers, and its sizes as words.
#pragma once

#include "contract/contract.hpp"
#include "proof/domain/domain.hpp"
#include "proof/domain/expressions.hpp"

namespace warpcheck::proof {

/// Adds them to the domain and to the words. Bits of `chosen` state whether operands that may be
/// transposed are; these bits are removed.
void add_operands(const contract::Contract& contract, Terms& terms, unsigned& chosen,
                  Domain& domain, Words& words);

}  // namespace warpcheck::proof
