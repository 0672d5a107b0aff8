// Other layouts of the matrices of a product.
#pragma once

#include <vector>

#include "campaign/interpret/interpret.hpp"

namespace warpcheck::campaign::interpret {

/// Returns the contract with each other combination of layouts; nothing for another operation,
/// whose tensors have one layout.
[[nodiscard]] std::vector<Interpretation> layout_interpretations(
    const contract::Contract& contract);

}  // namespace warpcheck::campaign::interpret
