#include "contract/expression/expression_token.hpp"

#include <algorithm>
#include <array>

namespace warpcheck::contract {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}  // UTF-8

}  // namespace

Token next_token(std::string_view text, std::size_t begin) {
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  const auto take_while = [&](auto&& belongs) {
    while (end < text.size() && belongs(text[end])) ++end;
  };
  TokenKind kind = TokenKind::symbol;
  if (begin == text.size()) {
    kind = TokenKind::end;
  } else if (is_digit(text[begin]) || is_letter(text[begin])) {
    kind = is_digit(text[begin]) ? TokenKind::integer : TokenKind::word;
    take_while([](char c) { return is_digit(c) || is_letter(c); });
  } else {
    constexpr std::array<std::string_view, 6> kPairs = {"==", "!=", "<=", ">=", "&&", "||"};
    const std::string_view two = text.substr(begin, 2);
    end += std::find(kPairs.begin(), kPairs.end(), two) != kPairs.end() ? 2 : 1;
    take_while(continues_character);
  }
  return {kind, text.substr(begin, end - begin), begin};
}

}  // namespace warpcheck::contract
