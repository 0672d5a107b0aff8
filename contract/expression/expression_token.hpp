// The tokens of an expression.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpcheck::contract {

enum class TokenKind { end, integer, word, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::size_t begin = 0;
};

/// The token at or after `begin`. A character that expressions do not use is also a symbol.
[[nodiscard]] Token next_token(std::string_view text, std::size_t begin);

}  // namespace warpcheck::contract
