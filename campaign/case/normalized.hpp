// The one spelling of a case under a contract.
#pragma once

#include <string>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

/// Resets each field that cannot affect the run to its default: fields that no argument of the
/// kernel takes, leading dimensions and strides that equal the tight one, and
/// property=matches-reference.
[[nodiscard]] Case normalized(const contract::Contract& contract, Case problem);

/// Returns the first field with a value that `normalized` discards because no argument of the
/// kernel takes it, or because the operation does not have it; empty if there is none.
[[nodiscard]] std::string ignored_field(const contract::Contract& contract, const Case& problem);

}  // namespace warpcheck::campaign
