#include "campaign/checks/product_traits.hpp"

#include "base/scalar_type.hpp"

namespace warpcheck::campaign::checks {
namespace {

using contract::ArgumentWord;
using contract::Contract;

bool has_nan(ScalarType type) { return !is_integer(type); }

bool factors_have_nan(const Contract& contract) {
  return has_nan(contract.type_a) && has_nan(contract.type_b);
}

}  // namespace

bool product_has(Trait trait, const Contract& contract) {
  switch (trait) {
    case Trait::ignores_c:
      return !contract.reads_c_at_beta_zero;
    case Trait::ignores_a_and_b:
      return contract.takes(ArgumentWord::alpha) && !contract.reads_ab_at_alpha_zero &&
             factors_have_nan(contract);
    case Trait::adds_scaled_c:
    case Trait::encodes_indices:
    case Trait::sums_exactly:
      return true;
    case Trait::scales_exactly:
      // A bias is the same for every row, and cannot be scaled with one.
      return !contract.takes(ArgumentWord::bias) && factors_have_nan(contract) &&
             has_nan(contract.type_c);
    case Trait::rounds_products_once:
      // Products of narrower operands are exact.
      return factors_have_nan(contract) && size_of(contract.type_a) >= 4 &&
             size_of(contract.type_b) >= 4;
    case Trait::rounds_sums_once:
      // Tensor cores cut sums off, but for those of f64.
      return factors_have_nan(contract) && has_nan(contract.accumulate) &&
             (!contract.tensor_cores || contract.accumulate == ScalarType::f64);
    default:
      return false;
  }
}

}  // namespace warpcheck::campaign::checks
