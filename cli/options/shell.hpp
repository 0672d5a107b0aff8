// Words for a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::cli {

/// The text as one word: unchanged if no character is special, otherwise in single quotes; in $'...'
/// if it has control characters or bytes that are not UTF-8, which the word has as escapes.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace warpcheck::cli
