#include "ptx/parse/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace warpcheck::ptx {
namespace {

constexpr std::size_t kLongestQuote = 60;

enum : std::uint8_t { kDigit = 1, kLetter = 2, kBlank = 4, kPunctuation = 8, kQuote = 16 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  for (char c : {'_', '$'}) classes[static_cast<unsigned char>(c)] = kLetter;
  for (char c : {' ', '\t', '\r', '\n', '\v', '\f'})
    classes[static_cast<unsigned char>(c)] = kBlank;
  for (char c : std::string_view("{}()[]<>,;:|+-*/%&^~!?=@")) {
    classes[static_cast<unsigned char>(c)] = kPunctuation;
  }
  classes['"'] = kQuote;
  return classes;
}

constexpr auto kClasses = make_classes();

constexpr bool is(char c, unsigned classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}
constexpr bool is_name(char c) { return is(c, kDigit | kLetter); }

constexpr std::array<std::string_view, 8> kPairs = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

}  // namespace

std::string quoted(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::dotted:
      return fmt::format("'.{}'", token.text.substr(0, kLongestQuote));
    case TokenKind::string:
      return "a string";
    default:
      return fmt::format("'{}'", token.text.substr(0, kLongestQuote));
  }
}

Place Lexer::place() const { return {line_, static_cast<unsigned>(position_ - line_begin_) + 1}; }

void Lexer::newline() {
  ++line_;
  line_begin_ = position_;
}

void Lexer::skip_lines_to(std::size_t end) {
  for (std::size_t found; (found = text_.find('\n', position_)) < end;) {
    position_ = found + 1;
    newline();
  }
  position_ = end;
}

void Lexer::skip_comment() {
  const Place begin = place();
  if (at(position_ + 1) == '/') {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view comment = text_.substr(position_, end - position_);
    if (comment.starts_with("// begin inline asm")) is_in_inline_assembly_ = true;
    if (comment.starts_with("// end inline asm")) is_in_inline_assembly_ = false;
    position_ = end;
    return;
  }
  position_ += 2;
  while (position_ < text_.size()) {
    const char c = text_[position_++];
    if (c == '\n') newline();
    if (c == '*' && at(position_) == '/') {
      ++position_;
      return;
    }
  }
  errors_.add(begin, "found the end of the text, expected '*/' to close this comment");
}

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (is(c, kBlank)) {
      ++position_;
      if (c == '\n') newline();
    } else if (c == '/' && (at(position_ + 1) == '/' || at(position_ + 1) == '*')) {
      skip_comment();
    } else {
      return;
    }
  }
}

Token Lexer::token(TokenKind kind, std::size_t begin, std::size_t end) const {
  return {kind, text_.substr(begin, end - begin), begin_};
}

/// Reads all that looks like one number, malformed or not. read_number() reports errors.
Token Lexer::number() {
  const std::size_t begin = position_;
  const char second = static_cast<char>(at(begin + 1) | 0x20);
  const bool bits =
      at(begin) == '0' && (second == 'x' || second == 'f' || second == 'd' || second == 'b');
  if (!bits) {
    while (is(at(position_), kDigit)) ++position_;
    if (at(position_) == '.' && is(at(position_ + 1), kDigit)) {
      ++position_;
      while (is(at(position_), kDigit)) ++position_;
    }
    if ((at(position_) | 0x20) == 'e') {
      const bool sign = at(position_ + 1) == '+' || at(position_ + 1) == '-';
      if (is(at(position_ + 1 + sign), kDigit)) position_ += 2 + sign;
    }
  }
  while (is_name(at(position_))) ++position_;
  return token(TokenKind::number, begin, position_);
}

Token Lexer::string() {
  const std::size_t begin = ++position_;
  while (at(position_) != '"') {
    if (position_ >= text_.size() || text_[position_] == '\n') {
      errors_.add(begin_, "found the end of the line, expected '\"' to close this string");
      return token(TokenKind::string, begin, position_);
    }
    position_ +=
        at(position_) == '\\' && position_ + 1 < text_.size() && at(position_ + 1) != '\n' ? 2 : 1;
  }
  ++position_;
  return token(TokenKind::string, begin, position_ - 1);
}

Token Lexer::dotted() {
  const std::size_t begin = ++position_;
  while (is_name(at(position_)) ||
         (at(position_) == ':' && at(position_ + 1) == ':' && is_name(at(position_ + 2)))) {
    position_ += at(position_) == ':' ? 2 : 1;
  }
  return token(TokenKind::dotted, begin, position_);
}

/// Skips bytes that begin no token. Consecutive ones are one error.
void Lexer::skip_unknown() {
  const unsigned code = static_cast<unsigned char>(text_[position_]);
  errors_.add(begin_, code > ' ' && code <= '~'
                          ? fmt::format("found '{}', which cannot begin a token", text_[position_])
                          : fmt::format("found byte 0x{:02x}, which is not allowed in PTX", code));
  do {
    ++position_;
  } while (position_ < text_.size() && kClasses[static_cast<unsigned char>(text_[position_])] == 0);
}

Token Lexer::next() {
  for (;;) {
    skip_blanks();
    begin_ = place();
    if (position_ >= text_.size() || errors_.full()) return {TokenKind::end, {}, begin_};
    const std::size_t begin = position_;
    const char c = text_[begin];
    const char second = at(begin + 1);
    if (is(c, kLetter) || (c == '%' && is_name(second))) {
      ++position_;
      while (is_name(at(position_))) ++position_;
      return token(TokenKind::identifier, begin, position_);
    }
    if (is(c, kDigit)) return number();
    if (c == '.' && is_name(second)) return dotted();
    if (is(c, kQuote)) return string();
    if (is(c, kPunctuation)) {
      const bool pair =
          is(second, kPunctuation) &&
          std::find(kPairs.begin(), kPairs.end(), text_.substr(begin, 2)) != kPairs.end();
      position_ += pair ? 2 : 1;
      return token(TokenKind::punctuation, begin, position_);
    }
    skip_unknown();
  }
}

std::size_t BlockCharacters::next(std::string_view text, std::size_t position) {
  std::size_t first = text.size();
  for (Search& search : searches_) {
    if (search.found < position) {
      search.found = std::min(text.find(search.character, position), text.size());
    }
    first = std::min(first, search.found);
  }
  return first;
}

bool Lexer::skip_block() {
  for (std::size_t depth = 1; depth > 0;) {
    skip_lines_to(block_characters_.next(text_, position_));
    if (position_ == text_.size()) return false;
    const char c = text_[position_];
    if (c == '/' && (at(position_ + 1) == '/' || at(position_ + 1) == '*')) {
      skip_comment();
    } else if (c == '"') {
      begin_ = place();
      static_cast<void>(string());
    } else {
      ++position_;
      if (c == '{') ++depth;
      if (c == '}') --depth;
    }
  }
  return true;
}

}  // namespace warpcheck::ptx
