// What `--help` prints, in lines of at most 80 columns.
#pragma once

#include <string>

#include "cli/help/description.hpp"

namespace warpcheck::cli {

[[nodiscard]] std::string help_text(const Description& description);

/// The text in lines of at most `columns`, broken at blanks, each after `indent` blanks; a line
/// break of the text stays one. A word that is longer has a line of its own.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent,
                                  std::size_t columns = 80);

}  // namespace warpcheck::cli
