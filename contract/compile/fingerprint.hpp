// What of a variant decides how it behaves, as one word.
#pragma once

#include <string>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

/// 32 hexadecimal digits of the PTX and the contract, the same wherever the source lies. Headers,
/// flags and the compiler show in the PTX; comments, and what a specimen expects, do not count.
[[nodiscard]] std::string fingerprint(const Variant& variant);

}  // namespace warpcheck::contract
