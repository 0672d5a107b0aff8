// What the properties of the registry do: conditions and checks.
#pragma once

#include "properties/property.hpp"

namespace warpcheck::properties {

/// The case with every leading dimension and stride that the contract takes, and that is tight,
/// wider by the least amount that `requires` allows; those that it pins stay.
[[nodiscard]] Case with_padding(const kernels::Contract& contract, Case problem);

/// The case with bases moved off their 256-byte boundary by the least amount that `requires`
/// allows.
[[nodiscard]] Case with_shifted_bases(const kernels::Contract& contract, Case problem);

namespace ask {

Answer matches_reference(Runner& runner, const Case& problem);
Answer writes_every_element(Runner& runner, const Case& problem);
Answer writes_only_its_matrix(Runner& runner, const Case& problem);
Answer reads_only_its_operands(Runner& runner, const Case& problem);
Answer leaves_inputs_alone(Runner& runner, const Case& problem);
Answer beta_zero_ignores_c(Runner& runner, const Case& problem);
Answer alpha_zero_ignores_a_and_b(Runner& runner, const Case& problem);
Answer power_of_two_scaling(Runner& runner, const Case& problem);
Answer permuting_rows(Runner& runner, const Case& problem);
Answer one_product(Runner& runner, const Case& problem);
Answer two_products(Runner& runner, const Case& problem);
Answer same_bits_twice(Runner& runner, const Case& problem);
Answer wider_and_shifted(Runner& runner, const Case& problem);
Answer second_call(Runner& runner, const Case& problem);

}  // namespace ask
}  // namespace warpcheck::properties
