// Marks in the source that exclude lines from the coverage that is required.
#pragma once

#include <set>
#include <string_view>

namespace warpcheck::campaign::coverage {

/// Returns the numbers of the lines with LCOV_EXCL_LINE and of those from LCOV_EXCL_START to
/// LCOV_EXCL_STOP, the marks that lcov and gcovr use.
[[nodiscard]] std::set<unsigned> marked_lines(std::string_view source);

}  // namespace warpcheck::campaign::coverage
