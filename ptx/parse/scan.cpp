#include "ptx/scan.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "ptx/errors.hpp"
#include "ptx/parse/lexer.hpp"
#include "ptx/type.hpp"

namespace warpcheck::ptx {
namespace {

/// The tokens of a text, with the errors of the lexer ignored.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : errors_(text, {}), lexer_(text, errors_) {}

  /// The next token; of kind `end` at the end of the text.
  const Token& next() {
    previous_ = token_;
    token_ = lexer_.next();
    if (token_.is("{")) ++depth_;
    if (token_.is("}")) --depth_;
    return token_;
  }
  /// The next token outside braces: the bodies of functions and initializers are skipped.
  const Token& next_outside_braces() {
    next();
    while (token_.is("{")) {
      if (lexer_.skip_block()) --depth_;
      next();
    }
    return token_;
  }
  [[nodiscard]] const Token& token() const { return token_; }
  [[nodiscard]] const Token& previous() const { return previous_; }
  [[nodiscard]] bool at_end() const { return token_.kind == TokenKind::end; }
  /// The number of braces that are open, the token included.
  [[nodiscard]] int depth() const { return depth_; }

  /// True if the token continues the name of an instruction, as `.global` does in `ld.global`.
  [[nodiscard]] bool is_modifier() const {
    const bool after_word =
        previous_.kind == TokenKind::identifier || previous_.kind == TokenKind::dotted;
    return token_.kind == TokenKind::dotted && after_word &&
           previous_.text.data() + previous_.text.size() + 1 == token_.text.data();
  }

  /// True if the token is the directive `.name`.
  [[nodiscard]] bool is_directive(std::string_view name) const {
    return token_.kind == TokenKind::dotted && token_.text == name && !is_modifier();
  }

 private:
  Errors errors_;
  Lexer lexer_;
  Token token_;
  Token previous_;
  int depth_ = 0;
};

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Maps the name of a parameter of untyped bits, as loads use it, to the parameter.
using Untyped = std::map<std::string_view, EntryParameter*>;

/// Reads `.param .align 8 .b8 name[24]` up to the comma or closing parenthesis. Sets its name.
EntryParameter read_parameter(TokenReader& reader, std::string_view& name) {
  EntryParameter parameter;
  for (reader.next(); !reader.at_end() && !reader.token().is(",") && !reader.token().is(")");
       reader.next()) {
    const Token& token = reader.token();
    if (token.kind == TokenKind::dotted) {
      const std::optional<Type> found = type(token.text);
      if (!found || bytes(*found) == 0) continue;
      parameter = {bytes(*found), is_float(*found), is_bits(*found)};
    } else if (token.kind == TokenKind::number && reader.previous().is("[")) {
      parameter.bytes *= whole_number<std::size_t>(token.text).value_or(0);
      parameter.untyped = true;
      name = {};  // parts of an array are loaded
    } else if (token.kind == TokenKind::identifier) {
      name = token.text;
    }
  }
  return parameter;
}

/// Moves to the next `.entry` and returns its name; empty if there is none.
std::optional<std::string_view> next_entry(TokenReader& reader) {
  for (reader.next_outside_braces(); !reader.at_end(); reader.next_outside_braces()) {
    if (reader.is_directive("entry")) return reader.next().text;
  }
  return std::nullopt;
}

/// Calls `visit` at the tokens of the body that the reader stands before. `visit` reads at least
/// one token.
template <class Visit>
void for_each_in_body(TokenReader& reader, const Visit& visit) {
  while (!reader.at_end() && !reader.token().is("{")) reader.next();
  const int depth = reader.depth();
  reader.next();
  while (!reader.at_end() && reader.depth() >= depth) visit();
}

/// True if the name that begins with the reader's token has one of the prefixes. Reads the name.
bool read_name(TokenReader& reader, std::span<const std::string_view> prefixes) {
  const char* const begin = reader.token().text.data();
  const char* end = begin + reader.token().text.size();
  for (reader.next(); reader.is_modifier(); reader.next()) {
    end = reader.token().text.data() + reader.token().text.size();
  }
  const std::string_view name(begin, static_cast<std::size_t>(end - begin));
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Reads operands up to the semicolon, and keeps those that are one whole number.
void read_integers(TokenReader& reader, std::set<std::int64_t>& numbers) {
  for (bool begins = true; !reader.at_end() && !reader.token().is(";");) {
    const Token operand = reader.token();
    reader.next();
    const bool ends = reader.token().is(",") || reader.token().is(";");
    if (begins && ends && operand.kind == TokenKind::number) {
      if (const auto number = whole_number<std::int64_t>(operand.text)) numbers.insert(*number);
    }
    begins = operand.is(",");
  }
}

/// The variable that a `.global` directive declares, whose `.global` the reader has read; empty if
/// it declares several, or none.
std::string_view declared_variable(TokenReader& reader) {
  std::string_view name;
  for (reader.next(); !reader.at_end() && !reader.token().is(";"); reader.next()) {
    if (reader.token().kind == TokenKind::identifier) name = reader.token().text;
    if (reader.token().is(",")) return {};
    if (reader.token().is("=") || reader.token().is("[")) return name;
  }
  return name;
}

/// Reads the rest of an instruction, `.param.f32 %f1, [name];` after its `ld`. The type of the load
/// is that of the parameter that it reads.
void read_load(TokenReader& reader, Untyped& untyped) {
  std::optional<Type> loaded;
  for (reader.next(); reader.is_modifier(); reader.next()) loaded = type(reader.token().text);
  for (; !reader.at_end() && !reader.token().is(";"); reader.next()) {
    const auto found = untyped.find(reader.token().text);
    if (found == untyped.end() || !loaded || is_bits(*loaded)) continue;
    found->second->floating = is_float(*loaded);
    found->second->untyped = false;
    untyped.erase(found);
  }
}

/// Reads a body up to the loads of all these parameters.
void read_loads(TokenReader& reader, Untyped untyped) {
  for_each_in_body(reader, [&] {
    const Token& token = reader.token();
    const bool is_load = token.kind == TokenKind::identifier && token.text == "ld";
    if (is_load && !untyped.empty()) return read_load(reader, untyped);
    reader.next();
  });
}

}  // namespace

std::vector<EntryPoint> entry_points(std::string_view text) {
  std::vector<EntryPoint> entries;
  TokenReader reader(text);
  while (const auto name = next_entry(reader)) {
    EntryPoint entry{std::string(*name), {}};
    std::vector<std::string_view> names;
    reader.next();
    while (reader.token().is("(") || reader.token().is(",")) {
      std::string_view parameter_name;
      const EntryParameter parameter = read_parameter(reader, parameter_name);
      if (parameter.bytes == 0) continue;
      entry.parameters.push_back(parameter);
      names.push_back(parameter_name);
    }
    Untyped untyped;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool is_number = entry.parameters[i].untyped && !names[i].empty();
      if (is_number) untyped[names[i]] = &entry.parameters[i];
    }
    if (!untyped.empty()) read_loads(reader, std::move(untyped));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string_view target_architecture(std::string_view text) {
  TokenReader reader(text);
  for (reader.next(); !reader.at_end(); reader.next()) {
    if (reader.is_directive("target")) return reader.next().text;
  }
  return {};
}

std::vector<std::string_view> module_identifiers_containing(std::string_view text,
                                                            std::string_view part) {
  std::vector<std::string_view> found;
  TokenReader reader(text);
  for (reader.next_outside_braces(); !reader.at_end(); reader.next_outside_braces()) {
    const Token& token = reader.token();
    if (token.kind == TokenKind::identifier && token.text.find(part) != std::string_view::npos) {
      found.push_back(token.text);
    }
  }
  return found;
}

std::set<std::int64_t> integer_operands(std::string_view text, std::string_view entry,
                                        std::span<const std::string_view> prefixes) {
  std::set<std::int64_t> numbers;
  TokenReader reader(text);
  while (const auto name = next_entry(reader)) {
    if (*name != entry) continue;
    for_each_in_body(reader, [&] {
      if (reader.token().kind != TokenKind::identifier) {
        reader.next();
      } else if (read_name(reader, prefixes)) {
        read_integers(reader, numbers);
      }
    });
    break;
  }
  return numbers;
}

bool uses_global_variables(std::string_view text) {
  std::set<std::string_view> names;
  TokenReader reader(text);
  for (reader.next(); !reader.at_end(); reader.next()) {
    // In `.param .u64 .ptr .global` the state space is that of a pointer's target.
    const bool is_pointer =
        reader.previous().kind == TokenKind::dotted && reader.previous().text == "ptr";
    if (!reader.is_directive("global") || is_pointer) continue;
    const std::string_view name = declared_variable(reader);
    if (name.empty() || !names.insert(name).second) return true;
  }
  if (names.empty()) return false;
  std::set<std::string_view> seen;
  TokenReader uses(text);
  for (uses.next(); !uses.at_end(); uses.next()) {
    const Token& token = uses.token();
    if (token.kind != TokenKind::identifier || !names.contains(token.text)) continue;
    if (!seen.insert(token.text).second) return true;
  }
  return false;
}

std::set<std::string, std::less<>> cooperative_entries(std::string_view text) {
  std::set<std::string, std::less<>> names;
  TokenReader reader(text);
  while (const auto name = next_entry(reader)) {
    for_each_in_body(reader, [&] {
      if (reader.token().text.starts_with("%envreg")) names.emplace(*name);
      reader.next();
    });
  }
  return names;
}

}  // namespace warpcheck::ptx
