// The trait of the product of matrices, D <- alpha A B + beta C + bias: what its cases have beyond
// those of the other operations. No case of another operation has one of these properties.
#pragma once

#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

[[nodiscard]] bool is_product(const Case& problem);
[[nodiscard]] bool is_product(const contract::Contract& contract);

/// The fields of a product, in the order of the case line, as if a kernel took all of them.
[[nodiscard]] std::vector<CaseField> fields_of_product();

/// Returns true if no wrong element is right by chance where the operands are small integers. The
/// mean of a row of integers may be 0, so that a wrong variance does not show.
[[nodiscard]] bool integers_show_every_error(const Case& problem);

/// Returns true if D holds poison before the launch: beta is 0. An output that updates an input
/// holds its values.
[[nodiscard]] bool overwrites_output(const Case& problem);

/// Returns true if a result without terms is what the output held before the launch: beta is 1.
[[nodiscard]] bool keeps_output_without_terms(const Case& problem);

/// Returns true if the data of a product can expose the loss of a single term. One-hot operands
/// expose which elements are read, but the loss of few terms.
[[nodiscard]] bool product_shows_terms(const Case& problem);

/// Returns true if nothing is launched for the case, whatever the contract: D has no element.
/// Launches of another operation that have threads are run, even if no output has an element.
[[nodiscard]] bool launches_nothing(const Case& problem);

/// Returns true if each sum has one term, so that a mistake of one term is one of all.
[[nodiscard]] bool has_one_term(const Case& problem);

}  // namespace warpcheck::campaign
