// Cases for which every launch that writes the output is skipped.
#pragma once

#include "contract/contract.hpp"

namespace warpcheck::properties::generate {

/// Throws InputError, located at the first `when`, if the declared domain has a case for which no
/// launch with the output applies: `when` of the launches leaves it out, but `requires` admits it.
void require_launches(const contract::Contract& contract);

}  // namespace warpcheck::properties::generate
