// The fields and operands of a product of matrices.
#pragma once

#include "campaign/case/schema.hpp"

namespace warpcheck::campaign {

[[nodiscard]] CaseSchema schema_of_product(const contract::Contract& contract);

}  // namespace warpcheck::campaign
