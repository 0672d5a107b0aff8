// The features of a kernel on which laws depend.
#pragma once

#include <cstdint>

#include "contract/contract.hpp"

namespace warpcheck::campaign::checks {

enum class Trait : std::uint8_t {
  pads_outputs,          // the kernel takes a stride of an output
  pads_operands,         // the kernel takes a stride
  ignores_c,             // D does not depend on C if beta is 0
  ignores_a_and_b,       // D does not depend on A and B if alpha is 0
  adds_scaled_c,         // D is beta C if there are no products to add
  encodes_indices,       // one-hot operands name the elements that an element comes from
  sums_exactly,          // small integers have the same sum in every order
  scales_exactly,        // powers of two scale D without rounding
  rounds_products_once,  // a single product is rounded to nearest
  rounds_sums_once,      // the sum of two exact products is rounded to nearest
};

[[nodiscard]] bool has(Trait trait, const contract::Contract& contract);

}  // namespace warpcheck::campaign::checks
