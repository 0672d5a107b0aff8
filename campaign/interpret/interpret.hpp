// Another contract under which a kernel that fails is correct.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign::interpret {

/// A contract that differs from the one of a variant.
struct Interpretation {
  std::string change;  // text after "with": `layout = { a = "col", b = "row", c = "row" }`
  contract::Contract contract;
  bool is_of_data = false;  // the contract promises more of the inputs
};

/// Returns the contracts that a user may have meant: two extents, operands or scalars exchanged in
/// the arguments, the axes x and y of the grid exchanged, other layouts of matrices, and inputs of
/// distinct integers.
[[nodiscard]] std::vector<Interpretation> interpretations(const contract::Contract& contract);

struct Correct {
  std::string change;       // change of the contract
  std::int64_t cases = 0;   // cases that are correct with the change
  std::int64_t failed = 0;  // cases that fail without the change
};

/// Returns true if a variant computes the case as the reference does.
using IsCorrect = std::function<bool(const contract::Variant&, const Case&)>;

/// Runs a few small cases, in which the extents differ, under each interpretation, or only under
/// those of the data. Returns the first one under which all of them that have a layout are correct;
/// empty if there is none, or if most of the cases are correct as the contract is.
[[nodiscard]] std::optional<Correct> correct_interpretation(const contract::Variant& variant,
                                                            const IsCorrect& is_correct,
                                                            bool only_data = false);

}  // namespace warpcheck::campaign::interpret
