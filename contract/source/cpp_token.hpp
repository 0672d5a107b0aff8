// The tokens of a CUDA C++ text, for readers that need no compiler: comments and white space are
// skipped, and each preprocessor directive is one token.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::contract {

enum class CppTokenKind { word, number, text, symbol, directive };

struct CppToken {
  CppTokenKind kind = CppTokenKind::symbol;
  std::string_view text;   // part of the source; a directive begins with its #
  std::size_t offset = 0;  // offset in the source, bytes
  unsigned line = 1;
  unsigned column = 1;

  [[nodiscard]] bool is(std::string_view symbol_or_word) const { return text == symbol_or_word; }
  [[nodiscard]] bool is_word() const { return kind == CppTokenKind::word; }
};

using CppTokens = std::span<const CppToken>;

/// Symbols are single characters, except `::`, `->`, `==`, `!=`, `<=`, `>=`, `&&`, `||`, `<<` and
/// the `<<<` and `>>>` of a launch. Text below `#if 0` is skipped. Any text has tokens: an
/// unterminated string or comment ends with the text.
[[nodiscard]] std::vector<CppToken> cpp_tokens(std::string_view source);

/// The index of the bracket that closes the one at `open`: `(`, `[` or `{`. The number of tokens if
/// it is not closed.
[[nodiscard]] std::size_t closing_bracket(CppTokens tokens, std::size_t open);

/// The index of the `>` that closes the `<` at `open`; the number of tokens if a `;`, `{` or `}`
/// comes first.
[[nodiscard]] std::size_t closing_angle(CppTokens tokens, std::size_t open);

/// The parts between the commas that are outside all brackets, angle brackets of templates
/// included. Empty for no tokens.
[[nodiscard]] std::vector<CppTokens> split_at_commas(CppTokens tokens);

/// The tokens as C++ text with single blanks where words meet: "const float*".
[[nodiscard]] std::string to_text(CppTokens tokens);

/// The tokens of a directive after its #; their places are those in the text after the #.
[[nodiscard]] std::vector<CppToken> directive_tokens(const CppToken& directive);

/// The file of an #include; empty for other directives and tokens.
struct IncludedFile {
  std::string_view name;
  bool quoted = false;
};
[[nodiscard]] std::optional<IncludedFile> included_file(std::string_view directive);
[[nodiscard]] std::optional<IncludedFile> included_file(const CppToken& token);

}  // namespace warpcheck::contract
