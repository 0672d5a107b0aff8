// The keys of contracts, for programs that list them.
#pragma once

#include <string_view>
#include <vector>

namespace warpcheck::contract {

/// The keys of a [[variant]] and of its launches.
[[nodiscard]] std::vector<std::string_view> contract_keys();

}  // namespace warpcheck::contract
