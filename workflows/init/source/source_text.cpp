#include "workflows/init/source/source_text.hpp"

#include <algorithm>

#include "base/files.hpp"

namespace warpcheck::workflows::init {

namespace fs = std::filesystem;
using contract::closing_angle;
using contract::closing_bracket;
using contract::CppTokenKind;
using contract::directive_tokens;
using contract::split_at_commas;

namespace {

FileTokens tokenized(const fs::path& file, std::string text) {
  FileTokens result;
  result.file = file.string();
  result.text = std::make_shared<const std::string>(std::move(text));
  result.tokens = contract::cpp_tokens(*result.text);
  return result;
}

std::vector<Token> copy_of(Tokens tokens) { return {tokens.begin(), tokens.end()}; }

/// #define NAME body, #define NAME(x, y) body.
void add_macro(const std::vector<Token>& directive, std::map<std::string, Macro>& macros) {
  if (directive.size() < 2 || !directive[0].is("define") || !directive[1].is_word()) return;
  Macro macro;
  std::size_t body = 2;
  const std::size_t end_of_name = directive[1].offset + directive[1].text.size();
  if (directive.size() > 2 && directive[2].is("(") && directive[2].offset == end_of_name) {
    macro.takes_arguments = true;
    const std::size_t close = closing_bracket(directive, 2);
    if (close == directive.size()) return;
    for (std::size_t i = 3; i < close; ++i) {
      if (directive[i].is_word()) macro.parameters.emplace_back(directive[i].text);
    }
    body = close + 1;
  }
  macro.body.assign(directive.begin() + static_cast<std::ptrdiff_t>(body), directive.end());
  if (!macro.body.empty()) macros[std::string(directive[1].text)] = std::move(macro);
}

/// name(int x, int y) { return expression; }
void add_functions(Tokens tokens, std::map<std::string, Macro>& macros) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is_word() || !tokens[i + 1].is("(")) continue;
    const std::size_t close = closing_bracket(tokens, i + 1);
    if (close + 2 >= tokens.size() || !tokens[close + 1].is("{") ||
        !tokens[close + 2].is("return")) {
      continue;
    }
    const std::size_t end = closing_bracket(tokens, close + 1);
    if (end >= tokens.size() || !tokens[end - 1].is(";")) continue;
    const Tokens body = tokens.subspan(close + 3, end - close - 4);
    if (std::any_of(body.begin(), body.end(), [](const Token& t) { return t.is(";"); })) continue;
    Macro macro{{}, true, copy_of(body)};
    for (const Tokens parameter : split_at_commas(tokens.subspan(i + 2, close - i - 2))) {
      if (!parameter.empty()) macro.parameters.emplace_back(parameter.back().text);
    }
    macros.emplace(std::string(tokens[i].text), std::move(macro));
  }
}

/// Reads the user's headers that a file includes, each before the text that follows it.
void read_headers(const FileTokens& file, std::set<std::string>& known, SourceText& source) {
  for (const Token& token : file.tokens) {
    const auto included = contract::included_file(token);
    if (!included || !included->quoted) continue;
    const fs::path header = (fs::path(file.file).parent_path() / included->name).lexically_normal();
    if (!known.insert(header.string()).second) continue;
    auto text = read_file(header);
    if (!text) continue;
    const FileTokens tokens = tokenized(header, std::move(*text));
    read_headers(tokens, known, source);
    source.headers.push_back(tokens);
  }
}

void add_macros_of(const FileTokens& file, std::map<std::string, Macro>& macros) {
  add_functions(file.tokens, macros);
  for (const Token& token : file.tokens) {
    if (token.kind == CppTokenKind::directive) add_macro(directive_tokens(token), macros);
  }
}

/// The end of an expression: a `,` or `;` outside brackets, or a bracket that closes more than it
/// opens.
std::size_t end_of_expression(Tokens tokens, std::size_t begin) {
  std::size_t i = begin;
  while (i < tokens.size()) {
    const Token& token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) {
      i = closing_bracket(tokens, i);
    } else if (token.is("<") && i > 0 && tokens[i - 1].is_word()) {
      const std::size_t close = closing_angle(tokens, i);
      if (close < tokens.size()) i = close;
    } else if (token.is(",") || token.is(";") || token.is(")") || token.is("}") || token.is("]")) {
      break;
    }
    ++i;
  }
  return std::min(i, tokens.size());
}

std::size_t axis_of(std::string_view member) {
  return member == "x" ? 0 : member == "y" ? 1 : member == "z" ? 2 : 3;
}

Extents parts_of(Tokens list) {
  Extents extents;
  for (const Tokens part : split_at_commas(list)) extents.push_back(copy_of(part));
  return extents;
}

/// Reads `name(...)`, `name{...}` or `name = dim3(...)`. Returns the index after it.
std::size_t read_extents(Tokens tokens, std::size_t name, std::map<std::string, Extents>& found) {
  std::size_t open = name + 1;
  if (open < tokens.size() && tokens[open].is("=")) ++open;
  if (open < tokens.size() && tokens[open].is("dim3")) ++open;
  if (open >= tokens.size()) return open;
  if (!tokens[open].is("(") && !tokens[open].is("{")) {
    const std::size_t end = end_of_expression(tokens, open);
    if (open > name + 1)
      found[std::string(tokens[name].text)] = {copy_of(tokens.subspan(open, end - open))};
    return end;
  }
  const std::size_t close = closing_bracket(tokens, open);
  if (close == tokens.size()) return close;
  found[std::string(tokens[name].text)] = parts_of(tokens.subspan(open + 1, close - open - 1));
  return close + 1;
}

}  // namespace

SourceText read_source(const fs::path& file) {
  SourceText source;
  const fs::path absolute = fs::absolute(file).lexically_normal();
  source.main = tokenized(absolute, read_utf8(file));
  std::set<std::string> known = {absolute.string()};
  read_headers(source.main, known, source);
  for (const FileTokens& header : source.headers) add_macros_of(header, source.macros);
  add_macros_of(source.main, source.macros);
  return source;
}

std::map<std::string, std::vector<Token>> values_in(Tokens tokens) {
  std::map<std::string, std::vector<Token>> values;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is_word() || !tokens[i + 1].is("=")) continue;
    const Token& before = tokens[i - 1];
    const bool declares = (before.is_word() && !before.is("return")) || before.is(",") ||
                          before.is("{") || before.is(">") || before.is("&");
    if (!declares) continue;
    const std::size_t end = end_of_expression(tokens, i + 2);
    values[std::string(tokens[i].text)] = copy_of(tokens.subspan(i + 2, end - i - 2));
  }
  return values;
}

std::map<std::string, Extents> extents_in(Tokens tokens) {
  std::map<std::string, Extents> found;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool declares = tokens[i].is("dim3") || tokens[i].is("auto");
    if (declares && tokens[i + 1].is_word()) {
      const bool is_dim3 =
          tokens[i].is("dim3") ||
          (i + 3 < tokens.size() && tokens[i + 2].is("=") && tokens[i + 3].is("dim3"));
      if (!is_dim3) continue;
      std::size_t next = read_extents(tokens, i + 1, found);
      while (next + 1 < tokens.size() && tokens[next].is(",") && tokens[next + 1].is_word()) {
        next = read_extents(tokens, next + 1, found);
      }
      continue;
    }
    // grid.x = expression;
    if (i + 3 < tokens.size() && tokens[i].is_word() && tokens[i + 1].is(".") &&
        tokens[i + 3].is("=") && axis_of(tokens[i + 2].text) < 3) {
      const auto known = found.find(std::string(tokens[i].text));
      if (known == found.end()) continue;
      const std::size_t axis = axis_of(tokens[i + 2].text);
      if (known->second.size() <= axis) known->second.resize(axis + 1);
      const std::size_t end = end_of_expression(tokens, i + 4);
      known->second[axis] = copy_of(tokens.subspan(i + 4, end - i - 4));
    }
  }
  return found;
}

}  // namespace warpcheck::workflows::init
