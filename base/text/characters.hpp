// Classes of ASCII characters; the locale has no effect.
#pragma once

#include <algorithm>
#include <string_view>

namespace warpcheck {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

[[nodiscard]] constexpr bool begins_identifier(char c) { return is_letter(c) || c == '_'; }

[[nodiscard]] constexpr bool is_identifier_character(char c) {
  return begins_identifier(c) || is_digit(c);
}

/// Letters, digits and '_', not beginning with a digit.
[[nodiscard]] constexpr bool is_identifier(std::string_view text) {
  return !text.empty() && begins_identifier(text.front()) &&
         std::all_of(text.begin(), text.end(), is_identifier_character);
}

[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// True for a byte of a UTF-8 character after its first byte.
[[nodiscard]] constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace warpcheck
