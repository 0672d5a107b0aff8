// Parses constant expressions (PTX ISA, section 4.5), and addresses in initializers
// (section 5.4.4).
#include <fmt/format.h>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {

Constant Parser::unwrap(Place place, Folded folded) {
  if (auto* message = std::get_if<std::string>(&folded)) fail(place, std::move(*message));
  return std::get<Constant>(folded);
}

void Parser::nest() {
  if (++nesting_ > kMaximumNesting) {
    fail(token_.place, "this constant expression is nested too deeply");
  }
}

Constant Parser::parse_constant(bool in_initializer) {
  in_initializer_ = in_initializer;
  nesting_ = 0;
  return parse_conditional();
}

Constant Parser::parse_conditional() {
  const Place place = token_.place;
  Constant condition = parse_binary(1);
  if (!accept("?")) return condition;
  const auto* chosen = std::get_if<Integer>(&condition);
  if (chosen == nullptr) {
    fail(place, fmt::format("found {} before '?', expected an integer", kind_of(condition)));
  }
  nest();
  Constant yes = parse_conditional();
  expect(":");
  Constant no = parse_conditional();
  --nesting_;
  return chosen->bits != 0 ? yes : no;
}

/// Parses operators of precedence `level` or higher, by precedence climbing.
Constant Parser::parse_binary(int level) {
  Constant left = parse_unary();
  for (;;) {
    const int found = token_.kind == TokenKind::punctuation ? precedence(token_.text) : 0;
    if (found < level) return left;
    const Token operation = token_;
    advance();
    const Constant right = parse_binary(found + 1);
    left = unwrap(operation.place, fold(operation.text, left, right));
  }
}

Constant Parser::parse_unary() {
  const Token operation = token_;
  if (!operation.is("-") && !operation.is("+") && !operation.is("~") && !operation.is("!")) {
    return parse_primary();
  }
  nest();
  advance();
  const Constant operand = parse_unary();
  --nesting_;
  return unwrap(operation.place, fold(operation.text, operand));
}

Constant Parser::parse_primary() {
  const Token first = token_;
  if (accept("(")) {
    if (at_dotted("s64") || at_dotted("u64")) return parse_cast();
    nest();
    Constant inner = parse_conditional();
    --nesting_;
    expect(")");
    return inner;
  }
  if (first.kind == TokenKind::number) {
    advance();
    Constant value = unwrap(first.place, read_number(first.text));
    const auto* mask = std::get_if<Integer>(&value);
    if (!in_initializer_ || mask == nullptr || !token_.is("(")) return value;
    SymbolAddress address = parse_wrapped_address();
    address.mask = mask->bits;
    return address;
  }
  if (first.kind != TokenKind::identifier)
    fail_expected(in_initializer_ ? "a constant" : "an operand");
  advance();
  if (first.text == "WARP_SZ") return Integer{32, false};
  if (in_initializer_ && first.text == "generic" && token_.is("(")) {
    SymbolAddress address = parse_wrapped_address();
    address.generic = true;
    return address;
  }
  return SymbolAddress{symbol(first), false, ~0ull};
}

/// Parses `.s64) operand`, which follows `(`.
Constant Parser::parse_cast() {
  const bool is_unsigned = token_.text == "u64";
  advance();
  expect(")");
  const Place place = token_.place;
  nest();
  Constant operand = parse_unary();
  --nesting_;
  auto* integer = std::get_if<Integer>(&operand);
  if (integer == nullptr) fail(place, fmt::format("{} cannot be cast", kind_of(operand)));
  integer->is_unsigned = is_unsigned;
  return operand;
}

/// Parses the `(symbol+4)` of `generic(symbol+4)` and `0xFF00(symbol+4)`.
SymbolAddress Parser::parse_wrapped_address() {
  expect("(");
  const Place place = token_.place;
  nest();
  const Constant inner = parse_conditional();
  --nesting_;
  expect(")");
  const auto* address = std::get_if<SymbolAddress>(&inner);
  if (address == nullptr) {
    fail(place, fmt::format("found {}, expected an address", kind_of(inner)));
  }
  return *address;
}

Symbol Parser::symbol(const Token& name) {
  const Entity entity = names_.find(name.text);
  switch (entity.kind) {
    case Entity::Kind::module_variable:
      return {Symbol::Kind::module_variable, entity.index, 0};
    case Entity::Kind::function:
      return {Symbol::Kind::function, entity.index, 0};
    case Entity::Kind::parameter:
      return {Symbol::Kind::parameter, entity.index, 0};
    case Entity::Kind::return_parameter:
      return {Symbol::Kind::return_parameter, entity.index, 0};
    case Entity::Kind::function_variable:
      return {Symbol::Kind::function_variable, entity.index, 0};
    case Entity::Kind::none:
      fail_undeclared(name);
    default:
      fail(name.place, fmt::format("found {}, expected a constant or a variable", quoted(name)));
  }
}

}  // namespace warpcheck::ptx
