#include "contract/source/cpp_token.hpp"

#include <algorithm>
#include <array>

#include "base/text/characters.hpp"

namespace warpcheck::contract {
namespace {

bool begins_word(char c) { return begins_identifier(c) || c == '$'; }

/// The text of a directive after its #.
std::string_view after_hash(std::string_view directive) {
  return directive.substr(std::min(directive.find_first_not_of("# \t"), directive.size()));
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<CppToken> run() {
    while (skip_blanks(), at_ < source_.size()) {
      if (at_line_start_ && peek() == '#') {
        read_directive();
        continue;
      }
      at_line_start_ = false;
      read_token();
    }
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < source_.size(); --count, ++at_) {
      if (source_[at_] != '\n') continue;
      ++line_;
      line_begin_ = at_ + 1;
      at_line_start_ = true;
    }
  }

  void skip_to(std::size_t end) { advance(std::min(end, source_.size()) - at_); }

  void skip_blanks() {
    for (;;) {
      const char c = peek();
      if (at_ < source_.size() && (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f')) {
        advance(1);
      } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
        const bool was_line_start = at_line_start_;
        advance(peek(1) == '\r' ? 3 : 2);
        at_line_start_ = was_line_start;
      } else if (c == '/' && peek(1) == '/') {
        skip_to(end_of_line(at_));
      } else if (c == '/' && peek(1) == '*') {
        const std::size_t end = source_.find("*/", at_ + 2);
        const bool was_line_start = at_line_start_;
        skip_to(end == std::string_view::npos ? end : end + 2);
        at_line_start_ = at_line_start_ || was_line_start;
      } else {
        return;
      }
    }
  }

  /// The line break that ends a logical line: one after a backslash does not.
  [[nodiscard]] std::size_t end_of_line(std::size_t from) const {
    for (std::size_t end = source_.find('\n', from); end != std::string_view::npos;
         end = source_.find('\n', end + 1)) {
      std::size_t before = end;
      if (before > from && source_[before - 1] == '\r') --before;
      if (before == from || source_[before - 1] != '\\') return end;
    }
    return source_.size();
  }

  void add(CppTokenKind kind, std::size_t length) {
    const auto column = static_cast<unsigned>(at_ - line_begin_ + 1);
    tokens_.push_back({kind, source_.substr(at_, length), at_, line_, column});
    advance(length);
  }

  void read_directive() {
    const std::size_t begin = at_;
    add(CppTokenKind::directive, end_of_line(begin) - begin);
    if (directive_word(tokens_.back().text) == "if" && condition_is_zero(tokens_.back().text)) {
      skip_disabled();
    }
  }

  static std::string_view directive_word(std::string_view text) {
    text = after_hash(text);
    return text.substr(0, text.find_first_of(" \t\r\n("));
  }

  static bool condition_is_zero(std::string_view text) {
    const std::size_t at = text.find("if") + 2;
    const std::size_t begin = text.find_first_not_of(" \t", at);
    return begin != std::string_view::npos && text[begin] == '0' &&
           (begin + 1 == text.size() || is_blank(text[begin + 1]));
  }

  /// Skips to the directive that ends the part below `#if 0`.
  void skip_disabled() {
    for (int depth = 1; at_ < source_.size();) {
      const std::size_t end = end_of_line(at_);
      std::string_view line = source_.substr(at_, end - at_);
      line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
      if (line.starts_with('#')) {
        const std::string_view word = directive_word(line);
        if (word.starts_with("if")) ++depth;
        if (word == "endif") --depth;
        if (depth == 0 || (depth == 1 && word.starts_with("el"))) return;
      }
      skip_to(end + 1);
    }
  }

  void read_token() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1))))
      return add(CppTokenKind::number, number_length());
    if (c == '"' || c == '\'') return add(CppTokenKind::text, quoted_length(c));
    if (begins_word(c)) {
      const std::size_t length = word_length();
      const std::string_view word = source_.substr(at_, length);
      if (peek(length) == '"' && word.ends_with('R')) {
        return add(CppTokenKind::text, raw_string_length(length));
      }
      return add(CppTokenKind::word, length);
    }
    add(CppTokenKind::symbol, symbol_length());
  }

  [[nodiscard]] std::size_t word_length() const {
    std::size_t length = 1;
    while (begins_word(peek(length)) || is_digit(peek(length))) ++length;
    return length;
  }

  [[nodiscard]] std::size_t number_length() const {
    std::size_t length = 1;
    for (;; ++length) {
      const char c = peek(length);
      const char last = peek(length - 1);
      const bool exponent_sign =
          (c == '+' || c == '-') && (last == 'e' || last == 'E') && peek(0) != '0';
      const bool separator =
          c == '\'' && (is_digit(peek(length + 1)) || begins_word(peek(length + 1)));
      if (!is_digit(c) && !begins_word(c) && c != '.' && !exponent_sign && !separator)
        return length;
    }
  }

  [[nodiscard]] std::size_t quoted_length(char quote) const {
    std::size_t length = 1;
    while (at_ + length < source_.size() && peek(length) != quote && peek(length) != '\n') {
      length += peek(length) == '\\' ? 2 : 1;
    }
    return std::min(length + 1, source_.size() - at_);
  }

  /// R"tag(...)tag", whose quote is `quote` characters further.
  [[nodiscard]] std::size_t raw_string_length(std::size_t quote) const {
    const std::size_t open = source_.find('(', at_ + quote);
    if (open == std::string_view::npos) return source_.size() - at_;
    const std::string tag =
        ")" + std::string(source_.substr(at_ + quote + 1, open - at_ - quote - 1)) + "\"";
    const std::size_t end = source_.find(tag, open);
    return (end == std::string_view::npos ? source_.size() : end + tag.size()) - at_;
  }

  [[nodiscard]] std::size_t symbol_length() {
    constexpr std::array<std::string_view, 9> kLong = {
        "::", "->", "==", "!=", "<=", ">=", "&&", "||", "<<"};
    const std::string_view rest = source_.substr(at_);
    if (rest.starts_with("<<<")) {
      ++open_launches_;
      return 3;
    }
    if (rest.starts_with(">>>") && open_launches_ > 0) {
      --open_launches_;
      return 3;
    }
    const bool is_long = std::any_of(kLong.begin(), kLong.end(), [&](std::string_view symbol) {
      return rest.starts_with(symbol);
    });
    return is_long ? 2 : 1;
  }

  std::string_view source_;
  std::vector<CppToken> tokens_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  unsigned line_ = 1;
  bool at_line_start_ = true;
  int open_launches_ = 0;
};

bool opens(const CppToken& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const CppToken& token) { return token.is(")") || token.is("]") || token.is("}"); }

}  // namespace

std::vector<CppToken> cpp_tokens(std::string_view source) { return Tokenizer(source).run(); }

std::size_t closing_bracket(CppTokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t closing_angle(CppTokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const CppToken& token = tokens[i];
    if (token.is("(") || token.is("[")) {
      i = closing_bracket(tokens, i);
    } else if (token.is("<")) {
      ++depth;
    } else if (token.is(">") && --depth == 0) {
      return i;
    } else if (token.is(";") || token.is("{") || token.is("}") || token.is("&&") ||
               token.is("||")) {
      break;
    }
  }
  return tokens.size();
}

std::vector<CppTokens> split_at_commas(CppTokens tokens) {
  std::vector<CppTokens> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (opens(tokens[i])) {
      i = closing_bracket(tokens, i);
    } else if (tokens[i].is("<") && i > 0 && tokens[i - 1].is_word()) {
      const std::size_t close = closing_angle(tokens, i);
      if (close < tokens.size()) i = close;
    } else if (tokens[i].is(",")) {
      parts.push_back(tokens.subspan(begin, i - begin));
      begin = i + 1;
    }
  }
  if (!tokens.empty()) parts.push_back(tokens.subspan(begin));
  return parts;
}

std::string to_text(CppTokens tokens) {
  std::string text;
  for (const CppToken& token : tokens) {
    const bool word = token.is_word() || token.kind == CppTokenKind::number;
    if (word && !text.empty() && is_identifier_character(text.back())) text += ' ';
    text += token.text;
    if (token.is(",")) text += ' ';
  }
  return text;
}

std::vector<CppToken> directive_tokens(const CppToken& directive) {
  return cpp_tokens(after_hash(directive.text));
}

std::optional<IncludedFile> included_file(std::string_view directive) {
  directive = after_hash(directive);
  if (!directive.starts_with("include")) return std::nullopt;
  const std::size_t open = directive.find_first_of("\"<");
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = directive.find(directive[open] == '<' ? '>' : '"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return IncludedFile{directive.substr(open + 1, close - open - 1), directive[open] == '"'};
}

std::optional<IncludedFile> included_file(const CppToken& token) {
  return token.kind == CppTokenKind::directive ? included_file(token.text) : std::nullopt;
}

}  // namespace warpcheck::contract
