#include "contract/expression/expression_token.hpp"

#include <algorithm>
#include <array>

#include "base/text/characters.hpp"

namespace warpcheck::contract {

Token next_token(std::string_view text, std::size_t begin) {
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  const auto take_while = [&](auto&& belongs) {
    while (end < text.size() && belongs(text[end])) ++end;
  };
  TokenKind kind = TokenKind::symbol;
  if (begin == text.size()) {
    kind = TokenKind::end;
  } else if (is_identifier_character(text[begin])) {
    kind = is_digit(text[begin]) ? TokenKind::integer : TokenKind::word;
    take_while(is_identifier_character);
  } else {
    constexpr std::array<std::string_view, 6> kPairs = {"==", "!=", "<=", ">=", "&&", "||"};
    const std::string_view two = text.substr(begin, 2);
    end += std::find(kPairs.begin(), kPairs.end(), two) != kPairs.end() ? 2 : 1;
    take_while(continues_character);
  }
  return {kind, text.substr(begin, end - begin), begin};
}

}  // namespace warpcheck::contract
