#include "campaign/checks/traits.hpp"

#include <algorithm>

#include "campaign/case/schema.hpp"
#include "campaign/checks/product_traits.hpp"

namespace warpcheck::campaign::checks {
namespace {

bool takes_stride(const contract::Contract& contract, bool outputs_only) {
  const CaseSchema schema = case_schema(contract);
  return std::any_of(schema.operands.begin(), schema.operands.end(), [&](const auto& operand) {
    return operand.takes_stride() && (!outputs_only || operand.is_output);
  });
}

}  // namespace

bool has(Trait trait, const contract::Contract& contract) {
  switch (trait) {
    case Trait::pads_outputs:
      return takes_stride(contract, true);
    case Trait::pads_operands:
      return takes_stride(contract, false);
    default:
      return is_product(contract) && product_has(trait, contract);
  }
}

}  // namespace warpcheck::campaign::checks
