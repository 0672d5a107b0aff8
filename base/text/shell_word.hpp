// Words for a POSIX shell.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text/visible_text.hpp"

namespace warpcheck {

/// The text in single quotes.
[[nodiscard]] inline std::string in_single_quotes(std::string_view text) {
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

/// Quoted as in $'a\x1bb' (POSIX.1-2024, section 2.2.4): the printed word has only visible
/// characters. Octal escapes have at most three digits, so that a digit may follow them.
[[nodiscard]] inline std::string in_dollar_quotes(std::string_view text) {
  std::string word = "$'";
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    const std::string_view character = text.substr(0, length);
    const char c = character.front();
    if (c == '\'' || c == '\\') {
      word += '\\';
      word += c;
    } else if (visible(character) == character && c != '\t') {
      word += character;
    } else {
      for (const char byte : character) {
        word += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
      }
    }
    text.remove_prefix(length);
  }
  return word + "'";
}

/// The text as one word: unchanged if no character is special, otherwise in single quotes; in
/// $'...' if it has control characters or bytes that are not UTF-8, which the word has as escapes.
[[nodiscard]] inline std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+,:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  return visible(text) == text ? in_single_quotes(text) : in_dollar_quotes(text);
}

}  // namespace warpcheck
