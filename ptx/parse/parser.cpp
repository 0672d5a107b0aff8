#include "ptx/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {
namespace {

/// Directives that begin a declaration of the module and occur nowhere else.
constexpr std::array<std::string_view, 10> kOfModule = {
    "version", "target", "address_size", "visible", "extern",
    "weak",    "common", "entry",        "func",    "alias"};

}  // namespace

Module parse(std::string_view text, std::string file) {
  return Parser(text, std::move(file)).parse();
}

Parser::Parser(std::string_view text, std::string file)
    : errors_(text, file), lexer_(text, errors_) {
  module_.text_file = std::move(file);
  advance();
  advance();
}

void Parser::advance() {
  token_ = after_;
  after_ = lexer_.next();
}

bool Parser::accept(std::string_view punctuation) {
  if (!token_.is(punctuation)) return false;
  if (punctuation == "{") ++open_braces_;
  if (punctuation == "}" && open_braces_ > 0) --open_braces_;
  advance();
  return true;
}

void Parser::expect(std::string_view punctuation) {
  if (!accept(punctuation)) fail_expected(fmt::format("'{}'", punctuation));
}

bool Parser::at_dotted(std::string_view text) const {
  return token_.kind == TokenKind::dotted && token_.text == text;
}

bool Parser::accept_dotted(std::string_view text) {
  if (!at_dotted(text)) return false;
  advance();
  return true;
}

Token Parser::expect_identifier(std::string_view what) {
  if (token_.kind != TokenKind::identifier) fail_expected(what);
  const Token name = token_;
  advance();
  return name;
}

std::string_view Parser::expect_string(std::string_view what) {
  if (token_.kind != TokenKind::string) fail_expected(what);
  const std::string_view text = token_.text;
  advance();
  return text;
}

std::uint64_t Parser::expect_integer(std::string_view what, std::uint64_t maximum) {
  if (token_.kind != TokenKind::number) fail_expected(what);
  const Place place = token_.place;
  const Constant value = unwrap(place, read_number(token_.text));
  advance();
  const auto* integer = std::get_if<Integer>(&value);
  if (integer == nullptr) fail(place, fmt::format("found {}, expected {}", kind_of(value), what));
  if (integer->bits > maximum) {
    fail(place, fmt::format("found {} for {}, the largest is {}", integer->bits, what, maximum));
  }
  return integer->bits;
}

void Parser::fail(Place place, std::string message) {
  error(place, std::move(message));
  throw SyntaxError();
}

void Parser::fail_expected(std::string_view expected) {
  fail(token_.place, fmt::format("found {}, expected {}", quoted(token_), expected));
}

void Parser::fail_undeclared(const Token& name) {
  // One error per name is enough: after a wrong declaration every use would be an error.
  if (!undeclared_.insert(name.text).second) throw SyntaxError();
  fail(name.place, quoted(name) + " is not declared");
}

bool Parser::at_module_directive() const {
  return token_.kind == TokenKind::dotted &&
         std::find(kOfModule.begin(), kOfModule.end(), token_.text) != kOfModule.end();
}

/// Skips past the `;` that ends the wrong statement, or to the `}` that ends its block.
void Parser::recover_in_body() {
  while (token_.kind != TokenKind::end && !at_module_directive()) {
    if (token_.is("}") && open_braces_ == 0) return;
    if (accept(";")) return;
    if (!accept("{") && !accept("}")) advance();
  }
}

/// Skips past the `;` or the body that ends the wrong declaration, or to the next declaration.
void Parser::recover_in_module() {
  while (token_.kind != TokenKind::end && !(open_braces_ == 0 && at_module_directive())) {
    const bool was_open = open_braces_ > 0;
    if (accept("}")) {
      if (was_open && open_braces_ == 0 && !token_.is(";")) return;
    } else if (accept(";")) {
      if (!was_open) return;
    } else if (!accept("{")) {
      advance();
    }
  }
}

Module Parser::parse() {
  try {
    parse_header();
    while (token_.kind != TokenKind::end) {
      open_braces_ = 0;
      try {
        parse_module_directive();
      } catch (const SyntaxError&) {
        recover_in_module();
      }
    }
  } catch (const SyntaxError&) {
    // A text without a header is not PTX; further errors would not help.
  }
  errors_.throw_if_any();
  keep_apart(module_, names_.shared());
  lines_.fill(module_);
  return std::move(module_);
}

}  // namespace warpcheck::ptx
