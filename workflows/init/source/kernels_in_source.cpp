#include "workflows/init/source/kernels_in_source.hpp"

#include <algorithm>

namespace warpcheck::workflows::init {

using contract::closing_angle;
using contract::closing_bracket;
using contract::CppTokenKind;
using contract::split_at_commas;

namespace {

/// Removes directives, which can stand anywhere.
std::vector<Token> without_directives(Tokens tokens) {
  std::vector<Token> kept;
  for (const Token& token : tokens) {
    if (token.kind != CppTokenKind::directive) kept.push_back(token);
  }
  return kept;
}

std::vector<std::string> texts_of(const std::vector<Tokens>& parts) {
  std::vector<std::string> texts;
  for (const Tokens part : parts) texts.push_back(to_text(part));
  return texts;
}

/// The index of the `<` that the `>` at `close` closes; `close` if there is none.
std::size_t opening_angle(Tokens tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (tokens[i].is(">")) ++depth;
    if (tokens[i].is("<") && --depth == 0) return i;
    if (tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}")) break;
  }
  return close;
}

/// First token of the body of the outermost function around a place.
std::size_t function_begin(Tokens tokens, std::size_t place) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = place; i-- > 0;) {
    if (tokens[i].is("}")) ++depth;
    if (!tokens[i].is("{") || depth-- > 0) continue;
    depth = 0;
    if (i > 0 && tokens[i - 1].is(")")) begin = i + 1;
  }
  return begin;
}

}  // namespace

std::vector<KernelDeclaration> kernels_in(const SourceText& source) {
  std::vector<KernelDeclaration> kernels = contract::kernel_declarations(source.main.tokens);
  std::erase_if(kernels, [](const KernelDeclaration& one) { return !one.is_definition; });
  return kernels;
}

std::vector<KernelLaunch> launches_in(const SourceText& source) {
  const Tokens tokens = source.main.tokens;
  std::vector<KernelLaunch> launches;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!tokens[i].is("<<<")) continue;
    KernelLaunch launch;
    launch.place = i;
    launch.line = tokens[i].line;
    std::size_t name = i - 1;
    if (tokens[name].is(">")) {
      const std::size_t open = opening_angle(tokens, name);
      if (open == name || open == 0) continue;
      launch.templates = texts_of(split_at_commas(tokens.subspan(open + 1, name - open - 1)));
      name = open - 1;
    }
    launch.kernel = tokens[name].text;
    std::size_t close = i + 1;
    while (close < tokens.size() && !tokens[close].is(">>>")) ++close;
    if (close + 1 >= tokens.size() || !tokens[close + 1].is("(")) continue;
    launch.configuration = split_at_commas(tokens.subspan(i + 1, close - i - 1));
    const std::size_t end = closing_bracket(tokens, close + 1);
    launch.arguments =
        split_at_commas(tokens.subspan(close + 2, std::min(end, tokens.size()) - close - 2));
    launch.function_begin = function_begin(tokens, i);
    launches.push_back(std::move(launch));
  }
  return launches;
}

std::vector<std::pair<std::string, std::vector<std::string>>> explicit_instances(
    const SourceText& source) {
  const std::vector<Token> all = without_directives(source.main.tokens);
  const Tokens tokens = all;
  std::vector<std::pair<std::string, std::vector<std::string>>> instances;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is("template") || tokens[i + 1].is("<")) continue;
    bool kernel = false;
    for (std::size_t j = i + 1; j + 1 < tokens.size() && !tokens[j].is(";") && !tokens[j].is("(");
         ++j) {
      kernel = kernel || tokens[j].is("__global__");
      if (!kernel || !tokens[j].is_word() || !tokens[j + 1].is("<")) continue;
      const std::size_t close = closing_angle(tokens, j + 1);
      if (close >= tokens.size()) break;
      instances.emplace_back(std::string(tokens[j].text),
                             texts_of(split_at_commas(tokens.subspan(j + 2, close - j - 2))));
      break;
    }
  }
  return instances;
}

}  // namespace warpcheck::workflows::init
