#include "ptx/parse/lexer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace warpcheck::ptx {
namespace {

/// Reads tokens up to the brace that closes the block. False if the text ends first.
bool read_block(Lexer& lexer) {
  for (int depth = 1; depth > 0;) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::end) return false;
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
  }
  return true;
}

/// Text of few pieces, so that blocks, strings and comments contain each other.
std::string random_text() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
      std::vector<std::string>{"{", "}", "{\n", "}\n", "\"", "\"a}\"", "\\", "/", "//", "/*", "*/",
                               "\n", " ", "add", ".reg", "%r1", "8"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

RC_GTEST_PROP(Lexer, SkipsWhatItsTokensAre, ()) {
  const std::string text = "{" + random_text() + " } \n end";
  Errors skip_errors(text, {});
  Errors read_errors(text, {});
  Lexer skipping(text, skip_errors);
  Lexer reading(text, read_errors);
  while (skipping.next().is("{")) {
    RC_ASSERT(reading.next().is("{"));
    const bool closed = skipping.skip_block();
    RC_ASSERT(closed == read_block(reading));
    if (!closed) return;
  }
  const Token after = skipping.next();
  static_cast<void>(reading.next());
  const Token expected = reading.next();
  RC_ASSERT(after.text == expected.text);
  RC_ASSERT(after.place.line == expected.place.line);
  RC_ASSERT(after.place.column == expected.place.column);
}

}  // namespace
}  // namespace warpcheck::ptx
