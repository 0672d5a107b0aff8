// Conditions on the sizes of a contract under which a property is proved that is not proved without
// them: what a user may add to `requires`, or what the kernel must check.
#pragma once

#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "proof/proof.hpp"

namespace warpcheck::workflows::prove {

/// Sets `sufficient` of each property that is not proved, if conditions are found: multiples of
/// powers of two, alignments of operands, limits of sizes and of their products. None of them can
/// be left out, and none can be replaced by a weaker one of its kind.
void find_sufficient_conditions(const contract::Variant& variant, proof::Proof& proof);

}  // namespace warpcheck::workflows::prove
