// Parses operands (PTX ISA, chapter 6).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ptx/parse/parser_impl.hpp"
#include "ptx/special_register.hpp"

namespace warpcheck::ptx {
namespace {

template <typename Target>
Target as(const Constant& value) {
  if (const auto* integer = std::get_if<Integer>(&value)) return *integer;
  if (const auto* real = std::get_if<Float>(&value)) return *real;
  return std::get<SymbolAddress>(value).symbol;
}

/// The index of the component x, y, z, w or r, g, b, a; empty if the text is none of them.
std::optional<unsigned> component(std::string_view text) {
  if (text.size() != 1) return std::nullopt;
  const std::size_t found = std::string_view("xyzwrgba").find(text[0]);
  if (found == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(found % 4);
}

}  // namespace

Operand Parser::parse_operand(bool in_call) {
  if (token_.is("[")) return parse_address();
  if (accept("{")) return Vector{parse_elements("}")};
  if (in_call && accept("(")) return ParameterList{parse_elements(")")};
  if (token_.is("!") && names_.find(after_.text).kind == Entity::Kind::reg) {
    advance();
    Register negated = parse_register();
    negated.negated = true;
    return negated;
  }
  if (token_.is("-") && names_.find(after_.text).kind == Entity::Kind::reg) {
    advance();
    Register subtracted = parse_part(parse_register());
    subtracted.minus = true;
    return subtracted;
  }
  if (token_.kind == TokenKind::identifier) return parse_named_operand();
  return as<Operand>(parse_constant(false));
}

Operand Parser::parse_named_operand() {
  const Token name = token_;
  const Entity entity = names_.find(name.text);
  const bool is_sink = name.text == "_" && entity.kind == Entity::Kind::none;
  if (is_sink || entity.kind == Entity::Kind::reg) {
    if (after_.is("|")) {
      const std::optional<Register> first = parse_pair_member();
      advance();
      return Pair{first, parse_pair_member()};
    }
    if (!is_sink) return parse_part(parse_register());
    advance();
    return Sink{};
  }
  switch (entity.kind) {
    case Entity::Kind::vector_register:
      if (after_.kind == TokenKind::dotted) return parse_register();
      return parse_whole_vector();
    case Entity::Kind::module_variable:
    case Entity::Kind::function:
    case Entity::Kind::parameter:
    case Entity::Kind::return_parameter:
    case Entity::Kind::function_variable:
      return as<Operand>(parse_constant(false));
    default:
      break;
  }
  if (name.text == "WARP_SZ") return as<Operand>(parse_constant(false));
  if (name.text[0] == '%') return parse_special_register();
  // Probably a label that is declared later: resolved when its scope ends.
  advance();
  pending_.push_back({name.text, name.place, false, function_->body.size(), operands_.size()});
  return Label{};
}

/// `%v` for `{%v.x, %v.y, %v.z, %v.w}`.
Vector Parser::parse_whole_vector() {
  const Entity entity = names_.find(token_.text);
  advance();
  Vector vector;
  for (unsigned i = 0; i < entity.width; ++i)
    vector.elements.emplace_back(Register{entity.index + i});
  return vector;
}

/// A register, or a component of a vector register.
Register Parser::parse_register() {
  const Token name = expect_identifier("a register");
  const Entity entity = names_.find(name.text);
  if (entity.kind == Entity::Kind::none) fail_undeclared(name);
  if (entity.kind != Entity::Kind::reg && entity.kind != Entity::Kind::vector_register) {
    fail(name.place, fmt::format("found {}, expected a register", quoted(name)));
  }
  if (entity.kind == Entity::Kind::reg) return {entity.index, false};
  const auto which = token_.kind == TokenKind::dotted ? component(token_.text) : std::nullopt;
  if (!which || *which >= entity.width) fail_expected("a component of a vector register");
  advance();
  return {entity.index + *which, false};
}

/// The selector of a video instruction after a register: `%r1.b0`.
Register Parser::parse_part(Register whole) {
  if (token_.kind != TokenKind::dotted) return whole;
  const auto part = RegisterPart::of(token_.text);
  if (!part) fail_expected("a part of a register");
  whole.part = *part;
  advance();
  return whole;
}

std::optional<Register> Parser::parse_pair_member() {
  if (token_.kind == TokenKind::identifier && token_.text == "_") {
    advance();
    return std::nullopt;
  }
  return parse_register();
}

SpecialRegister Parser::parse_special_register() {
  const Token name = token_;
  advance();
  std::string full(name.text.substr(1));
  if (token_.kind != TokenKind::dotted && !is_special_register(full)) fail_undeclared(name);
  if (token_.kind == TokenKind::dotted) {
    full += fmt::format(".{}", token_.text.substr(0, 2));
    advance();
  }
  if (!is_special_register(full)) {
    fail(name.place, fmt::format("'%{}' is not declared", full.substr(0, 60)));
  }
  return {std::move(full)};
}

Element Parser::parse_element() {
  if (token_.kind == TokenKind::identifier) {
    const Entity entity = names_.find(token_.text);
    if (entity.kind == Entity::Kind::reg || entity.kind == Entity::Kind::vector_register) {
      return parse_register();
    }
    if (token_.text == "_" && entity.kind == Entity::Kind::none) {
      advance();
      return Sink{};
    }
  }
  return as<Element>(parse_constant(false));
}

/// Parses elements up to and including the closing punctuation. Only a list of parameters may be
/// empty.
std::vector<Element> Parser::parse_elements(std::string_view close) {
  std::vector<Element> elements;
  if (close == ")" && accept(close)) return elements;
  elements.reserve(close == "}" ? 4 : 1);
  do {
    const bool whole_vector = names_.find(token_.text).kind == Entity::Kind::vector_register &&
                              after_.kind != TokenKind::dotted;
    if (close == ")" && whole_vector) {
      const Vector vector = parse_whole_vector();
      elements.insert(elements.end(), vector.elements.begin(), vector.elements.end());
    } else {
      elements.push_back(parse_element());
    }
  } while (accept(","));
  if (!accept(close)) fail_expected(fmt::format("',' or '{}'", close));
  return elements;
}

Operand Parser::parse_address() {
  expect("[");
  Address address;
  address.base = parse_base(address.offset);
  while (accept(",")) {
    if (accept("{")) {
      address.coordinates = parse_elements("}");
    } else {
      const Place place = token_.place;
      std::int64_t offset = 0;
      address.more_bases.push_back(parse_base(offset));
      if (offset != 0) fail(place, "found an offset here, expected one only on the first address");
    }
  }
  if (!accept("]")) fail_expected("'+' or ']'");
  return address;
}

/// Parses `%rd1+8`, `symbol+8` or `8`. Adds the distance to `offset`.
Address::Base Parser::parse_base(std::int64_t& offset) {
  const Place place = token_.place;
  const Entity entity = names_.find(token_.text);
  if (token_.kind == TokenKind::identifier && entity.kind != Entity::Kind::reg &&
      entity.kind != Entity::Kind::vector_register) {
    // Reports that a special register or a label is not a constant.
    static_cast<void>(symbol(token_));
  } else if (token_.kind == TokenKind::identifier) {
    const Register base = parse_register();
    nesting_ = 0;
    in_initializer_ = false;
    Constant distance = Integer{};
    while (token_.is("+") || token_.is("-")) {
      const Token operation = token_;
      advance();
      const Constant more = parse_binary(precedence("*"));
      distance = unwrap(operation.place, fold(operation.text, distance, more));
    }
    const auto* bytes = std::get_if<Integer>(&distance);
    if (bytes == nullptr) fail(place, "found an address added to a register, expected an integer");
    offset = static_cast<std::int64_t>(bytes->bits);
    return base;
  }
  const Constant value = parse_constant(false);
  if (const auto* integer = std::get_if<Integer>(&value)) return *integer;
  const auto* address = std::get_if<SymbolAddress>(&value);
  if (address == nullptr) {
    fail(place, fmt::format("found {}, expected an address", kind_of(value)));
  }
  Symbol base = address->symbol;
  offset = base.addend;
  base.addend = 0;
  return base;
}

}  // namespace warpcheck::ptx
