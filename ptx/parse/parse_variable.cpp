// Parses declarations of variables, parameters and registers (PTX ISA, section 5.4).
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {
namespace {

std::optional<unsigned> vector_width(std::string_view text) {
  if (text == "v2") return 2;
  if (text == "v4") return 4;
  if (text == "v8") return 8;
  return std::nullopt;
}

}  // namespace

/// Parses attributes, alignment, vector and type, between the state space and the name. They may
/// come in any order, because compilers differ in it.
Variable Parser::parse_declaration_head(StateSpace space) {
  Variable variable;
  variable.space = space;
  variable.alignment = 0;
  while (token_.kind == TokenKind::dotted) {
    const Token word = token_;
    if (word.text == "align") {
      advance();
      const Place place = token_.place;
      variable.alignment = expect_integer("an alignment", 1u << 30);
      if (!std::has_single_bit(variable.alignment)) {
        fail(place, fmt::format("found alignment {}, expected a power of two", variable.alignment));
      }
    } else if (word.text == "attribute") {
      parse_attribute(&variable);
    } else if (word.text == "ptr") {
      parse_pointer(variable);
    } else if (const auto width = vector_width(word.text)) {
      variable.vector = *width;
      advance();
    } else if (const auto found = type(word.text); found && variable.type == Type::none) {
      if (bytes(*found) == 0) {
        fail(word.place, fmt::format("found type .{}, expected one of whole bytes", word.text));
      }
      variable.type = *found;
      advance();
    } else {
      fail_expected(variable.type == Type::none ? "a type" : "a name");
    }
  }
  if (variable.type == Type::none) fail_expected("a type");
  if (variable.type == Type::pred && space != StateSpace::reg) {
    fail(token_.place,
         fmt::format("found type .pred in space .{}, expected it in .reg", name(space)));
  }
  if (variable.alignment == 0) variable.alignment = bytes(variable.type) * variable.vector;
  return variable;
}

/// `.ptr .global .align 16` of a kernel parameter.
void Parser::parse_pointer(Variable& variable) {
  advance();
  variable.is_pointer = true;
  if (token_.kind == TokenKind::dotted) {
    if (const auto space = state_space(token_.text)) {
      variable.pointee_space = *space;
      advance();
    }
  }
  if (accept_dotted("align")) variable.pointee_alignment = expect_integer("an alignment", 1u << 30);
}

/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`. `variable` may be null.
void Parser::parse_attribute(Variable* variable) {
  advance();
  expect("(");
  do {
    if (token_.kind != TokenKind::dotted) fail_expected("an attribute");
    if (variable != nullptr && token_.text == "managed") variable->managed = true;
    advance();
    if (accept("(")) {
      do {
        static_cast<void>(expect_integer("a part of an identifier", ~0ull));
      } while (accept(","));
      expect(")");
    }
  } while (accept(","));
  expect(")");
}

/// The name and its dimensions.
void Parser::parse_declarator(Variable& variable) {
  const Token name = expect_identifier("a name");
  variable.name = name.text;
  variable.place = name.place;
  variable.dimensions.clear();
  while (accept("[")) {
    if (variable.dimensions.size() == kMaximumDimensions) {
      fail(name.place,
           fmt::format("{} has more than {} dimensions", quoted(name), kMaximumDimensions));
    }
    if (variable.dimensions.empty() && accept("]")) {
      variable.dimensions.push_back(0);
    } else {
      const Place place = token_.place;
      variable.dimensions.push_back(expect_integer("a dimension", kMaximumVariableBytes));
      if (variable.dimensions.back() == 0) fail(place, "found dimension 0, expected at least 1");
      expect("]");
    }
  }
  std::size_t room = kMaximumVariableBytes / (bytes(variable.type) * variable.vector);
  for (std::size_t dimension : variable.dimensions) room /= std::max<std::size_t>(dimension, 1);
  if (room == 0) {
    fail(name.place, fmt::format("{} has more than {} bytes", quoted(name), kMaximumVariableBytes));
  }
}

/// `(.param .u64 a, .reg .b32 b)`; empty if there is no parenthesis.
std::vector<Variable> Parser::parse_parameters() {
  std::vector<Variable> parameters;
  if (!accept("(")) return parameters;
  if (accept(")")) return parameters;
  do {
    const bool in_register = at_dotted("reg");
    if (!in_register && !at_dotted("param")) fail_expected("'.param'");
    advance();
    parameters.push_back(parse_declaration_head(in_register ? StateSpace::reg : StateSpace::param));
    parse_declarator(parameters.back());
  } while (accept(","));
  expect(")");
  return parameters;
}

void Parser::check_extent(const Variable& variable) {
  if (variable.is_unsized() && variable.linkage != Linkage::extern_) {
    error(variable.place,
          fmt::format("'{}' has no size: expected dimensions, values or .extern", variable.name));
  }
}

void Parser::parse_module_variables(StateSpace space, Linkage linkage) {
  const Variable head = parse_declaration_head(space);
  do {
    Variable variable = head;
    variable.linkage = linkage;
    parse_declarator(variable);
    try {
      parse_initializer(variable);
    } catch (const SyntaxError&) {
      declare_module_variable(std::move(variable));
      throw;
    }
    check_extent(variable);
    declare_module_variable(std::move(variable));
  } while (accept(","));
  expect(";");
}

/// A definition replaces an .extern declaration of the same variable.
void Parser::declare_module_variable(Variable variable) {
  const auto index = static_cast<unsigned>(module_.variables.size());
  if (names_.declare(variable.name, {Entity::Kind::module_variable, 1, index})) {
    module_.variables.push_back(std::move(variable));
    return;
  }
  const Entity earlier = names_.find(variable.name);
  if (earlier.kind == Entity::Kind::module_variable) {
    Variable& first = module_.variables[earlier.index];
    const bool same = first.space == variable.space && first.type == variable.type;
    if (same && variable.linkage == Linkage::extern_) return;
    if (same && first.linkage == Linkage::extern_) {
      first = std::move(variable);
      return;
    }
  }
  error(variable.place, fmt::format("'{}' is declared twice", variable.name));
}

void Parser::parse_function_variables(StateSpace space) {
  const Variable head = parse_declaration_head(space);
  do {
    Variable variable = head;
    parse_declarator(variable);
    parse_initializer(variable);
    check_extent(variable);
    const auto index = static_cast<unsigned>(function_->variables.size());
    auto unique = names_.declare_unique(variable.name, {Entity::Kind::function_variable, 1, index});
    if (unique) {
      variable.name = std::move(*unique);
      function_->variables.push_back(std::move(variable));
    } else {
      error(variable.place, fmt::format("'{}' is declared twice", variable.name));
    }
  } while (accept(","));
  expect(";");
}

void Parser::parse_registers() {
  const Variable head = parse_declaration_head(StateSpace::reg);
  do {
    const Token name = expect_identifier("a register");
    if (accept("<")) {
      const std::uint64_t count = expect_integer("a number of registers", ~0ull);
      expect(">");
      if (head.vector != 1) fail(name.place, "found a range of vector registers, expected one");
      declare_registers(name, count, head.type);
    } else {
      declare_register(name, head.type, head.vector);
    }
  } while (accept(","));
  expect(";");
}

void Parser::reserve_registers(Place place, std::uint64_t count) {
  if (count > kMaximumRegisters - registers_) {
    fail(place, fmt::format("found {} more registers, the module may have {} of which {} are taken",
                            count, kMaximumRegisters, registers_));
  }
  registers_ += count;
}

/// Declares `%r`: one register, or `width` registers for a vector.
void Parser::declare_register(const Token& name, Type type, unsigned width) {
  reserve_registers(name.place, width);
  const auto index = static_cast<unsigned>(function_->registers.size());
  const auto kind = width == 1 ? Entity::Kind::reg : Entity::Kind::vector_register;
  auto unique = names_.declare_unique(name.text, {kind, static_cast<std::uint8_t>(width), index});
  if (!unique) {
    error(name.place, fmt::format("{} is declared twice", quoted(name)));
  } else if (width == 1) {
    function_->registers.push_back({std::move(*unique), type});
  } else {
    for (unsigned i = 0; i < width; ++i) {
      function_->registers.push_back({names_.unique(fmt::format("{}_{}", *unique, i)), type});
    }
  }
}

/// Declares `%r<31>`: %r0 to %r30.
void Parser::declare_registers(const Token& prefix, std::uint64_t count, Type type) {
  reserve_registers(prefix.place, count);
  std::string name(prefix.text);
  for (std::uint64_t i = 0; i < count; ++i) {
    name.resize(prefix.text.size());
    name += fmt::format_int(i).str();
    const auto index = static_cast<unsigned>(function_->registers.size());
    auto unique = names_.declare_unique(name, {Entity::Kind::reg, 1, index});
    if (!unique) fail(prefix.place, fmt::format("'{}' is declared twice", name));
    function_->registers.push_back({std::move(*unique), type});
  }
}

}  // namespace warpcheck::ptx
