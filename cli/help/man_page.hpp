// A command's manual page in the language of man(7), in the style of man-pages(7).
#pragma once

#include <string>
#include <vector>

#include "cli/help/description.hpp"

namespace warpcheck::cli {

/// "warpcheck-check"
[[nodiscard]] std::string page_name(const CommandApp& command);

/// `others`: the names of pages to see also, such as "warpcheck-check". `date`: yyyy-mm-dd, or
/// empty.
[[nodiscard]] std::string man_page(const Description& description,
                                   const std::vector<std::string>& others, const std::string& date);

}  // namespace warpcheck::cli
