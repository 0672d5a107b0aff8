// Parses kernels and device functions (PTX ISA, sections 11.2 and 11.4).
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {
namespace {

/// Replaces each parameter that is a vector register by one scalar register for each component.
std::vector<Variable> scalars_of(const std::vector<Variable>& parameters) {
  std::vector<Variable> scalars;
  for (const Variable& parameter : parameters) {
    const bool is_vector = parameter.space == StateSpace::reg && parameter.vector > 1;
    for (unsigned i = 0; i < (is_vector ? parameter.vector : 1U); ++i) {
      Variable& scalar = scalars.emplace_back(parameter);
      if (!is_vector) continue;
      scalar.name = fmt::format("{}_{}", parameter.name, i);
      scalar.vector = 1;
      scalar.alignment = bytes(parameter.type);
    }
  }
  return scalars;
}

/// True if two lists of parameters have the same number and sizes.
bool same_sizes(const std::vector<Variable>& left, const std::vector<Variable>& right) {
  const std::vector<Variable> first = scalars_of(left);
  const std::vector<Variable> second = scalars_of(right);
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const Variable& a, const Variable& b) { return a.bytes() == b.bytes(); });
}

}  // namespace

/// Parses what follows `.entry` or `.func`.
void Parser::parse_function(bool is_entry, Linkage linkage) {
  Function function;
  function.is_entry = is_entry;
  function.linkage = linkage;
  parse_directives(function);
  const Place place = token_.place;
  function.return_parameters = parse_parameters();
  if (is_entry && !function.return_parameters.empty()) {
    error(place, "found return parameters, a kernel has none");
  }
  const Token name = expect_identifier("the name of a function");
  function.name = name.text;
  function.place = name.place;
  function.parameters = parse_parameters();
  parse_directives(function);
  function.is_declaration = !token_.is("{");
  if (function.is_declaration) {
    if (!accept(";")) fail_expected("'{' or ';'");
  }
  const std::optional<unsigned> index = declare_function(function);
  if (!function.is_declaration) {
    names_.open_scope();
    declare_parameters(function);
    parse_body(function);
    names_.close_scope();
  } else {
    function.return_parameters = scalars_of(function.return_parameters);
    function.parameters = scalars_of(function.parameters);
  }
  if (index && module_.functions[*index].is_declaration) {
    function.alias_of = module_.functions[*index].alias_of;
    module_.functions[*index] = std::move(function);
  }
}

/// The index of the function. Empty, with an error, if the name already has another meaning.
std::optional<unsigned> Parser::declare_function(const Function& function) {
  const auto index = static_cast<unsigned>(module_.functions.size());
  if (names_.declare(function.name, {Entity::Kind::function, 1, index})) {
    Function& declared = module_.functions.emplace_back();
    declared.name = function.name;
    declared.is_declaration = true;
    return index;
  }
  const Entity entity = names_.find(function.name);
  const Function* earlier =
      entity.kind == Entity::Kind::function ? &module_.functions[entity.index] : nullptr;
  const bool has_meaning =
      earlier == nullptr || !earlier->is_declaration || earlier->alias_of.has_value();
  if (earlier == nullptr || (has_meaning && !function.is_declaration)) {
    error(function.place, fmt::format("'{}' is declared twice", function.name));
    return std::nullopt;
  }
  if (earlier->is_entry != function.is_entry ||
      !same_sizes(earlier->parameters, function.parameters) ||
      !same_sizes(earlier->return_parameters, function.return_parameters)) {
    error(function.place, fmt::format("'{}' is declared with other parameters in line {}",
                                      function.name, earlier->place.line));
    return std::nullopt;
  }
  return entity.index;
}

void Parser::declare_parameters(Function& function) {
  function_ = &function;
  const auto declare = [&](std::vector<Variable>& parameters, Entity::Kind kind) {
    std::vector<Variable> declared;
    for (Variable& parameter : parameters) {
      const bool in_register = parameter.space == StateSpace::reg;
      const unsigned width = in_register ? parameter.vector : 1;
      Entity entity{kind, 1, static_cast<unsigned>(declared.size())};
      if (in_register) {
        entity = {width == 1 ? Entity::Kind::reg : Entity::Kind::vector_register,
                  static_cast<std::uint8_t>(width),
                  static_cast<unsigned>(function.registers.size())};
      }
      auto unique = names_.declare_unique(parameter.name, entity);
      if (!unique) {
        error(parameter.place, fmt::format("'{}' is declared twice", parameter.name));
        continue;
      }
      parameter.name = std::move(*unique);
      if (in_register) reserve_registers(parameter.place, width);
      for (Variable& scalar : scalars_of({parameter})) {
        if (width > 1) scalar.name = names_.unique(scalar.name);
        if (in_register) function.registers.push_back({scalar.name, scalar.type});
        declared.push_back(std::move(scalar));
      }
    }
    parameters = std::move(declared);
  };
  declare(function.return_parameters, Entity::Kind::return_parameter);
  declare(function.parameters, Entity::Kind::parameter);
}

void Parser::parse_directives(Function& function) {
  Directives& directives = function.directives;
  const auto number = [this](std::string_view what) {
    return static_cast<unsigned>(expect_integer(what, ~0u));
  };
  const auto extent = [&] {
    std::array<unsigned, 3> extents{1, 1, 1};
    std::size_t given = 0;
    do {
      if (given == extents.size())
        fail(token_.place, "found a fourth dimension, expected at most 3");
      extents[given++] = number("an extent");
    } while (accept(","));
    return extents;
  };
  while (token_.kind == TokenKind::dotted) {
    const std::string_view word = token_.text;
    if (word == "attribute") {
      parse_attribute(nullptr);
      continue;
    }
    const Token directive = token_;
    advance();
    if (word == "maxntid") {
      directives.maxntid = extent();
    } else if (word == "reqntid") {
      directives.reqntid = extent();
    } else if (word == "reqnctapercluster") {
      directives.reqnctapercluster = extent();
    } else if (word == "minnctapersm") {
      directives.minnctapersm = number("a number of blocks");
    } else if (word == "maxnctapersm") {
      static_cast<void>(number("a number of blocks"));  // PTX ISA 11.4: a deprecated hint
    } else if (word == "maxnreg") {
      directives.maxnreg = number("a number of registers");
    } else if (word == "maxclusterrank") {
      directives.maxclusterrank = number("a number of blocks");
    } else if (word == "explicitcluster") {
      directives.explicitcluster = true;
    } else if (word == "blocksareclusters") {
      directives.blocksareclusters = true;
    } else if (word == "noreturn") {
      directives.noreturn = true;
    } else if (word == "abi_preserve" || word == "abi_preserve_control") {
      static_cast<void>(number("a number of registers"));
    } else if (word == "pragma") {
      parse_pragma();
    } else {
      fail(directive.place,
           fmt::format("found {}, which is not a directive of a function", quoted(directive)));
    }
  }
}

}  // namespace warpcheck::ptx
