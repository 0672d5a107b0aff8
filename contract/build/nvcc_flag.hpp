// The flags of nvcc that a contract may add.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::contract {

/// The error of element `index` of the array `flags`; empty if there is none. Flags that change
/// what nvcc writes, that belong to another key, or that name programs are errors.
[[nodiscard]] std::optional<std::string> flag_error(const std::vector<std::string>& flags,
                                                    std::size_t index);

/// The error of a text that becomes part of an argument of nvcc; empty if there is none. nvcc hands
/// its arguments to a shell between double quotes.
[[nodiscard]] std::optional<std::string> shell_error(std::string_view text);

}  // namespace warpcheck::contract
