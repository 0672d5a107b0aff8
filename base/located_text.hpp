// Errors in a part of a user's text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace warpcheck {

/// An error at the character `offset` of `text`, whose first character is at `where`. The columns
/// of the excerpt before a text that begins inside a line are blank.
[[nodiscard]] Diagnostic located(std::string_view text, const Location& where, std::size_t offset,
                                 std::string message);

}  // namespace warpcheck
