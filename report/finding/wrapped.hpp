// Breaks sentences into lines of a limited width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::report {

/// Returns at least one line. Breaks at blanks; a word that is longer than a line is not broken.
/// Widths are in characters of UTF-8.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width,
                                               std::size_t first_width);

}  // namespace warpcheck::report
