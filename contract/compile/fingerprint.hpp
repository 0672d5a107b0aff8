// A hash of everything that determines the behaviour of a variant.
#pragma once

#include <string>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

/// 32 hexadecimal digits that depend on the PTX and the contract, but not on the folder of the
/// source. Headers, the environment and the compiler matter only through the PTX; comments and the
/// expectation of a specimen do not matter.
[[nodiscard]] std::string fingerprint(const Variant& variant);

}  // namespace warpcheck::contract
