// Splits PTX text into tokens (PTX ISA, chapter 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ptx/errors.hpp"
#include "ptx/module.hpp"

namespace warpcheck::ptx {

enum class TokenKind : std::uint8_t {
  end,
  identifier,   // `add`, `%r1`, `$L__BB0_2`, `_`
  dotted,       // `.reg`, `.shared::cta`; the text is without the dot
  number,       // `1`, `0x1fU`, `0f3F800000`, `9.0`
  string,       // the text is that between the quotes, with escapes unchanged
  punctuation,  // one character, or two of `<< >> <= >= == != && ||`
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Place place;

  /// True if the token is this punctuation.
  [[nodiscard]] bool is(std::string_view punctuation) const {
    return kind == TokenKind::punctuation && text == punctuation;
  }
};

/// "'add'", "'.reg'", "the end of the text": the token as an error quotes it.
[[nodiscard]] std::string quoted(const Token& token);

/// Finds the next of the characters that begin or end a block, a string or a comment. These
/// characters are rare. One search for each of them reads many characters at once, and so takes
/// less time than a check of every character.
class BlockCharacters {
 public:
  /// The first at or after `position`, which is at least 1 and must not decrease from call to call;
  /// the end of the text if there is none.
  [[nodiscard]] std::size_t next(std::string_view text, std::size_t position);

 private:
  struct Search {
    char character;
    std::size_t found = 0;
  };
  std::array<Search, 4> searches_ = {{{'{'}, {'}'}, {'"'}, {'/'}}};
};

class Lexer {
 public:
  Lexer(std::string_view text, Errors& errors) : text_(text), errors_(errors) {}

  /// The next token; `end` at and after the end of the text, or after too many errors.
  [[nodiscard]] Token next();

  /// Skips the text after a `{`, up to and including its `}`, as in a debug section. Returns false
  /// if the text ends first.
  [[nodiscard]] bool skip_block();

  /// True between the comments by which LLVM marks inline assembly.
  [[nodiscard]] bool is_in_inline_assembly() const { return is_in_inline_assembly_; }

 private:
  void skip_blanks();
  void skip_comment();
  void newline();
  void skip_lines_to(std::size_t end);
  [[nodiscard]] Place place() const;
  [[nodiscard]] Token token(TokenKind kind, std::size_t begin, std::size_t end) const;
  [[nodiscard]] Token number();
  [[nodiscard]] Token string();
  [[nodiscard]] Token dotted();
  void skip_unknown();

  [[nodiscard]] char at(std::size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }

  std::string_view text_;
  Errors& errors_;
  std::size_t position_ = 0;
  std::size_t line_begin_ = 0;
  unsigned line_ = 1;
  Place begin_;  // start of the current token
  bool is_in_inline_assembly_ = false;
  BlockCharacters block_characters_;
};

}  // namespace warpcheck::ptx
