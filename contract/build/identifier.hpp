// Identifiers of C++.
#pragma once

#include <string_view>

namespace warpcheck::contract {

/// A letter, a digit or '_'.
[[nodiscard]] bool is_identifier_character(char c);

/// Letters, digits and '_', not beginning with a digit.
[[nodiscard]] bool is_identifier(std::string_view text);

}  // namespace warpcheck::contract
