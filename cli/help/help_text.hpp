// The output of `--help`, in lines of at most 80 columns.
#pragma once

#include <string>

#include "cli/help/description.hpp"

namespace warpcheck::cli {

[[nodiscard]] std::string help_text(const Description& description);

/// Breaks the text at spaces into lines of at most `columns`, each indented by `indent` spaces.
/// Keeps the line breaks of the text. A longer word has a line of its own.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent,
                                  std::size_t columns = 80);

}  // namespace warpcheck::cli
