#include "operation/token.hpp"

#include <algorithm>
#include <array>

#include "base/text/characters.hpp"

namespace warpcheck::operation {
namespace {

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_blank(text[at]) || text[at] == '#')) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      ++at;
    }
  }
  return at;
}

/// The end of a number: digits, letters and '.', and the sign of an exponent.
std::size_t number_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool signs_exponent =
        (text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E');
    if (!is_identifier_character(text[at]) && text[at] != '.' && !signs_exponent) break;
    ++at;
  }
  return at;
}

}  // namespace

Token next_token(std::string_view text, std::size_t begin) {
  begin = skip_blanks(text, begin);
  if (begin == text.size()) return {TokenKind::end, {}, begin};
  std::size_t end = begin + 1;
  TokenKind kind = TokenKind::symbol;
  if (is_digit(text[begin])) {
    kind = TokenKind::number;
    end = number_end(text, end);
  } else if (begins_identifier(text[begin])) {
    kind = TokenKind::word;
    while (end < text.size() && is_identifier_character(text[end])) ++end;
  } else {
    constexpr std::array<std::string_view, 5> kPairs = {"==", "!=", "<=", ">=", "//"};
    if (std::find(kPairs.begin(), kPairs.end(), text.substr(begin, 2)) != kPairs.end()) ++end;
    while (end < text.size() && continues_character(text[end])) ++end;
  }
  return {kind, text.substr(begin, end - begin), begin};
}

}  // namespace warpcheck::operation
