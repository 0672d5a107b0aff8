// The keys that a contract may have, for whoever lists them.
#pragma once

#include <string_view>
#include <vector>

namespace warpcheck::contract {

/// Of a [[variant]] and of its launches.
[[nodiscard]] std::vector<std::string_view> contract_keys();

}  // namespace warpcheck::contract
