// The number of keys by which a guessed contract differs from the one that its author wrote.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::workflows::init {

/// The keys that must be changed, added or removed. `name` is free and does not count; expressions
/// count if their values differ on the domain of `written`.
[[nodiscard]] std::vector<std::string> edits(const contract::Contract& guessed,
                                             const contract::Contract& written);

}  // namespace warpcheck::workflows::init
