// The comparison of two kernels of one operation of the language.
#pragma once

#include <optional>
#include <vector>

#include "workflows/diff/element_difference.hpp"
#include "workflows/diff/joined_types.hpp"

namespace warpcheck::workflows::diff::tensor {

/// Returns true if the operations of both contracts have the same names and statements. No contract
/// of a product defines it, so that all have the same.
[[nodiscard]] bool same_definition(const contract::Contract& one, const contract::Contract& other);

/// Joins the types of all operands, and adds remarks on those of the results.
void join_types(JoinedTypes& types);

/// See element_difference.hpp.
[[nodiscard]] std::optional<ElementDifference> largest_difference(
    const campaign::run::Problem& problem, const std::vector<campaign::run::Output>& before,
    const std::vector<campaign::run::Output>& after);

}  // namespace warpcheck::workflows::diff::tensor
