// Conditions and checks of the registered properties.
#pragma once

#include "properties/checks/property.hpp"

namespace warpcheck::properties::checks {

/// The case for runs that are compared bit by bit: with sums that are exact in every order, where
/// the kernel need not add in the same one twice.
[[nodiscard]] Case repeatable(const contract::Contract& contract, const Case& problem);

/// The case with every leading dimension and stride that the contract takes, and that is tight,
/// wider by the least amount that `requires` allows; those that it pins stay.
[[nodiscard]] Case with_padding(const contract::Contract& contract, Case problem);

/// The case with bases moved off their 256-byte boundary by the least amount that `requires`
/// allows.
[[nodiscard]] Case with_shifted_bases(const contract::Contract& contract, Case problem);

/// Returns the problem of a case with these operands and this poison.
[[nodiscard]] run::Problem poisoned(run::Runner& runner, const Case& line, run::Operands operands,
                                    const run::Poison& poison);

namespace check {

PropertyResult matches_reference(run::Runner& runner, const Case& problem);
PropertyResult writes_every_element(run::Runner& runner, const Case& problem);
PropertyResult writes_only_its_matrix(run::Runner& runner, const Case& problem);
PropertyResult reads_only_its_operands(run::Runner& runner, const Case& problem);
PropertyResult leaves_inputs_alone(run::Runner& runner, const Case& problem);
PropertyResult beta_zero_ignores_c(run::Runner& runner, const Case& problem);
PropertyResult alpha_zero_ignores_a_and_b(run::Runner& runner, const Case& problem);
PropertyResult power_of_two_scaling(run::Runner& runner, const Case& problem);
PropertyResult permuting_rows(run::Runner& runner, const Case& problem);
PropertyResult one_product(run::Runner& runner, const Case& problem);
PropertyResult two_products(run::Runner& runner, const Case& problem);
PropertyResult same_bits_twice(run::Runner& runner, const Case& problem);
PropertyResult wider_and_shifted(run::Runner& runner, const Case& problem);
PropertyResult second_call(run::Runner& runner, const Case& problem);

}  // namespace check
}  // namespace warpcheck::properties::checks
