// The tokens of a definition.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpcheck::operation {

enum class TokenKind { end, number, word, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::size_t begin = 0;
};

/// The token at or after `begin`. '#' starts a comment, up to the end of the line. A character that
/// definitions do not use is also a symbol.
[[nodiscard]] Token next_token(std::string_view text, std::size_t begin);

}  // namespace warpcheck::operation
