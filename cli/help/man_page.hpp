// The manual page of a command, in the format of man(7) and the style of man-pages(7).
#pragma once

#include <string>
#include <vector>

#include "cli/help/description.hpp"

namespace warpcheck::cli {

/// "warpcheck-check"
[[nodiscard]] std::string page_name(const CommandApp& command);

/// `others`: names of pages for SEE ALSO, such as "warpcheck-check". `date`: yyyy-mm-dd, or empty.
[[nodiscard]] std::string man_page(const Description& description,
                                   const std::vector<std::string>& others, const std::string& date);

}  // namespace warpcheck::cli
