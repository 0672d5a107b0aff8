// What of a variant decides how it behaves, as one word.
#pragma once

#include <string>

#include "kernels/contract/variant.hpp"

namespace warpcheck::kernels {

/// 32 hexadecimal digits of the PTX and the contract, the same wherever the source lies. Headers,
/// flags and the compiler show in the PTX; comments, and what a specimen expects, do not count.
[[nodiscard]] std::string fingerprint(const Variant& variant);

}  // namespace warpcheck::kernels
