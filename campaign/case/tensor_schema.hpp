// The fields and operands of an operation of the language.
#pragma once

#include "campaign/case/schema.hpp"

namespace warpcheck::campaign {

[[nodiscard]] CaseSchema schema_of_tensors(const contract::Contract& contract);

}  // namespace warpcheck::campaign
