// Words for a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::cli {

/// The text as one word: unchanged if no character is special, otherwise in single quotes.
[[nodiscard]] inline std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+,:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace warpcheck::cli
