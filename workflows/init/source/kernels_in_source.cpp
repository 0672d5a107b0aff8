#include "workflows/init/source/kernels_in_source.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

TemplateParameter template_parameter(Tokens tokens) {
  TemplateParameter parameter;
  const auto equals =
      std::find_if(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("="); });
  const auto count = static_cast<std::size_t>(equals - tokens.begin());
  if (equals != tokens.end()) parameter.value = to_text(tokens.subspan(count + 1));
  Tokens declared = tokens.first(count);
  while (!declared.empty() && declared.front().is("const")) declared = declared.subspan(1);
  if (declared.empty()) return parameter;
  parameter.kind = declared.front().is("class") ? "typename" : std::string(declared.front().text);
  if (declared.size() > 1 && declared.back().is_word()) parameter.name = declared.back().text;
  return parameter;
}

KernelParameter kernel_parameter(Tokens tokens) {
  const auto equals =
      std::find_if(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("="); });
  tokens = tokens.first(static_cast<std::size_t>(equals - tokens.begin()));
  KernelParameter parameter;
  std::size_t end = tokens.size();
  bool array = false;
  if (end > 2 && tokens[end - 1].is("]")) {  // float a[]
    while (end > 0 && !tokens[end - 1].is("[")) --end;
    --end;
    array = true;
  }
  constexpr std::array<std::string_view, 7> kTypeWords = {
      "int", "float", "double", "unsigned", "const", "size_t", "__restrict__"};
  const bool named =
      end > 1 && tokens[end - 1].is_word() &&
      std::find(kTypeWords.begin(), kTypeWords.end(), tokens[end - 1].text) == kTypeWords.end();
  if (named) parameter.name = tokens[end - 1].text;
  parameter.type = to_text(tokens.first(named ? end - 1 : end));
  if (array) parameter.type += "*";
  return parameter;
}

/// Walks over the tokens of the main file, keeps the namespaces that are open, and reads kernels.
class KernelReader {
 public:
  explicit KernelReader(Tokens tokens) : tokens_(tokens) {}

  std::vector<KernelDeclaration> run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("template") && i + 1 < tokens_.size() && tokens_[i + 1].is("<")) {
        template_begin_ = i;
      } else if (token.is("namespace")) {
        enter_namespace(i);
      } else if (token.is("{")) {
        ++depth_;
      } else if (token.is("}")) {
        --depth_;
        while (!scopes_.empty() && scopes_.back().second > depth_) scopes_.pop_back();
      } else if (token.is(";") && template_begin_ && *template_begin_ < i) {
        template_begin_.reset();
      } else if (token.is("__global__")) {
        i = read_kernel(i);
        template_begin_.reset();
      }
    }
    return std::move(kernels_);
  }

 private:
  void enter_namespace(std::size_t at) {
    std::string name;
    std::size_t i = at + 1;
    while (i < tokens_.size() && (tokens_[i].is_word() || tokens_[i].is("::")))
      name += tokens_[i++].text;
    if (i < tokens_.size() && tokens_[i].is("{")) scopes_.emplace_back(name, depth_ + 1);
  }

  /// Returns the index of the last token that it has read.
  std::size_t read_kernel(std::size_t at) {
    KernelDeclaration kernel;
    std::size_t i = at + 1;
    std::size_t open = tokens_.size();
    for (; i < tokens_.size() && !tokens_[i].is(";") && !tokens_[i].is("{"); ++i) {
      if (tokens_[i].is("__launch_bounds__") || tokens_[i].is("__maxnreg__") ||
          tokens_[i].is("__attribute__") || tokens_[i].is("__cluster_dims__")) {
        const std::size_t close = closing_bracket(tokens_, i + 1);
        if (close >= tokens_.size()) return i;
        const auto parts = split_at_commas(tokens_.subspan(i + 2, close - i - 2));
        if (tokens_[i].is("__launch_bounds__") && !parts.empty())
          kernel.bounds_text = to_text(parts[0]);
        i = close;
      } else if (tokens_[i].is("(")) {
        open = i;
        break;
      }
    }
    if (open == tokens_.size() || !tokens_[open - 1].is_word()) return i;
    const std::size_t close = closing_bracket(tokens_, open);
    std::size_t body = close + 1;
    while (body < tokens_.size() && tokens_[body].is_word()) ++body;
    if (body >= tokens_.size() || !tokens_[body].is("{"))
      return std::min(close, tokens_.size() - 1);
    kernel.name = tokens_[open - 1].text;
    kernel.line = tokens_[open - 1].line;
    for (const auto& [name, depth] : scopes_) {
      if (!name.empty()) kernel.qualified += name + "::";
    }
    kernel.qualified += kernel.name;
    read_parameters(tokens_.subspan(open + 1, close - open - 1), kernel);
    read_templates(kernel);
    const std::size_t end = closing_bracket(tokens_, body);
    kernel.body = tokens_.subspan(body + 1, std::min(end, tokens_.size()) - body - 1);
    kernels_.push_back(std::move(kernel));
    return std::min(end, tokens_.size() - 1);
  }

  static void read_parameters(Tokens list, KernelDeclaration& kernel) {
    if (list.size() == 1 && list[0].is("void")) return;
    for (const Tokens parameter : split_at_commas(list)) {
      if (!parameter.empty()) kernel.parameters.push_back(kernel_parameter(parameter));
    }
  }

  void read_templates(KernelDeclaration& kernel) const {
    if (!template_begin_) return;
    const std::size_t open = *template_begin_ + 1;
    const std::size_t close = closing_angle(tokens_, open);
    if (close >= tokens_.size()) return;
    for (const Tokens parameter : split_at_commas(tokens_.subspan(open + 1, close - open - 1))) {
      kernel.templates.push_back(template_parameter(parameter));
    }
  }

  Tokens tokens_;
  int depth_ = 0;
  std::vector<std::pair<std::string, int>> scopes_;
  std::optional<std::size_t> template_begin_;
  std::vector<KernelDeclaration> kernels_;
};

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
  return KernelReader(source.main.tokens).run();
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
