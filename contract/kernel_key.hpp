// Reads contracts that may omit the name of a kernel.
#pragma once

#include <string_view>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::contract {

/// `optional`: LaunchStep::kernel is empty if there is no key `kernel`, for a file with one kernel.
enum class KernelKey { required, optional };

/// Returns the same as parse_contracts() without `kernel`, which requires the key.
[[nodiscard]] std::vector<Contract> parse_contracts(std::string_view toml, const Location& where,
                                                    KernelKey kernel);

}  // namespace warpcheck::contract
