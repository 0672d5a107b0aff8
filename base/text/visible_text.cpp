#include "base/text/visible_text.hpp"

#include <fmt/format.h>

#include <array>

namespace warpcheck {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// The code point of the `length` bytes of a valid UTF-8 character.
char32_t code_point(std::string_view character) {
  constexpr std::array<unsigned, 5> kLeadingBits = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t value = byte_at(character, 0) & kLeadingBits.at(character.size());
  for (std::size_t i = 1; i < character.size(); ++i) {
    value = value << 6 | (byte_at(character, i) & 0x3f);
  }
  return value;
}

/// Control characters (general category Cc), the separators of lines and paragraphs, and the
/// explicit formatting characters of the bidirectional algorithm (UAX #9, section 2).
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x061c;
}

std::string escape_of(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  return c < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(c))
                  : fmt::format("\\u{:04x}", static_cast<unsigned>(c));
}

/// Copies the text; calls `replace(character)` for control characters, and `invalid(byte)` for
/// bytes that are not UTF-8.
template <typename Replace, typename Invalid>
std::string filtered(std::string_view text, bool lines, const Replace& replace,
                     const Invalid& invalid) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      clean += invalid(text.front());
      text.remove_prefix(1);
      continue;
    }
    const char32_t c = code_point(text.substr(0, length));
    if (c == '\t' || (lines && c == '\n') || !is_control(c)) {
      clean += text.substr(0, length);
    } else {
      clean += replace(c);
    }
    text.remove_prefix(length);
  }
  return clean;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and numbers beyond U+10FFFF.
  const unsigned second = byte_at(text, 1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text, bool lines) {
  return filtered(
      text, lines, [](char32_t) { return "?"; }, [](char) { return "\xef\xbf\xbd"; });
}

std::string visible(std::string_view text, bool lines) {
  return filtered(text, lines, escape_of, [](char byte) {
    return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  });
}

}  // namespace warpcheck
