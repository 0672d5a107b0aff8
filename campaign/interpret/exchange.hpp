// Contracts with parts of a launch exchanged.
#pragma once

#include <string_view>

#include "campaign/interpret/interpret.hpp"

namespace warpcheck::campaign::interpret {

/// Returns true if a launch passes the argument that is written so.
[[nodiscard]] bool is_passed(const contract::Contract& contract, std::string_view argument);

/// Exchanges two arguments in each launch. Both are passed.
[[nodiscard]] Interpretation with_arguments_exchanged(contract::Contract contract,
                                                      std::string_view one, std::string_view other);

/// Exchanges the axes x and y of each grid, besides the change of an interpretation.
[[nodiscard]] Interpretation with_grid_exchanged(Interpretation interpretation);

}  // namespace warpcheck::campaign::interpret
