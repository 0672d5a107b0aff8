#include "contract/source/kernel_declaration.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace warpcheck::contract {
namespace {

TemplateParameter template_parameter(CppTokens tokens) {
  TemplateParameter parameter;
  const auto equals =
      std::find_if(tokens.begin(), tokens.end(), [](const CppToken& t) { return t.is("="); });
  const auto count = static_cast<std::size_t>(equals - tokens.begin());
  if (equals != tokens.end()) parameter.value = to_text(tokens.subspan(count + 1));
  CppTokens declared = tokens.first(count);
  while (!declared.empty() && declared.front().is("const")) declared = declared.subspan(1);
  if (declared.empty()) return parameter;
  parameter.kind = declared.front().is("class") ? "typename" : std::string(declared.front().text);
  if (declared.size() > 1 && declared.back().is_word()) parameter.name = declared.back().text;
  return parameter;
}

KernelParameter kernel_parameter(CppTokens tokens) {
  const auto equals =
      std::find_if(tokens.begin(), tokens.end(), [](const CppToken& t) { return t.is("="); });
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
  explicit KernelReader(CppTokens tokens) : tokens_(tokens) {}

  std::vector<KernelDeclaration> run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const CppToken& token = tokens_[i];
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
      const bool is_attribute =
          tokens_[i].text.starts_with("__") && i + 1 < tokens_.size() && tokens_[i + 1].is("(");
      if (is_attribute) {
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
    if (close == tokens_.size()) return i;
    kernel.place = tokens_[open - 1];
    kernel.name = kernel.place.text;
    for (const auto& [name, depth] : scopes_) {
      if (!name.empty()) kernel.qualified += name + "::";
    }
    kernel.qualified += kernel.name;
    read_parameters(tokens_.subspan(open + 1, close - open - 1), kernel);
    read_templates(kernel);
    std::size_t body = close + 1;
    while (body < tokens_.size() && tokens_[body].is_word()) ++body;
    kernel.is_definition = body < tokens_.size() && tokens_[body].is("{");
    if (kernel.is_definition) {
      const std::size_t end = closing_bracket(tokens_, body);
      kernel.body = tokens_.subspan(body + 1, end - body - 1);
    }
    kernels_.push_back(std::move(kernel));
    return close;
  }

  static void read_parameters(CppTokens list, KernelDeclaration& kernel) {
    if (list.size() == 1 && list[0].is("void")) return;
    for (const CppTokens parameter : split_at_commas(list)) {
      if (!parameter.empty()) kernel.parameters.push_back(kernel_parameter(parameter));
    }
  }

  void read_templates(KernelDeclaration& kernel) const {
    if (!template_begin_) return;
    const std::size_t open = *template_begin_ + 1;
    const std::size_t close = closing_angle(tokens_, open);
    if (close >= tokens_.size()) return;
    kernel.template_list = tokens_.subspan(open + 1, close - open - 1);
    for (const CppTokens parameter : split_at_commas(kernel.template_list)) {
      kernel.templates.push_back(template_parameter(parameter));
    }
  }

  CppTokens tokens_;
  int depth_ = 0;
  std::vector<std::pair<std::string, int>> scopes_;
  std::optional<std::size_t> template_begin_;
  std::vector<KernelDeclaration> kernels_;
};

}  // namespace

std::vector<KernelDeclaration> kernel_declarations(CppTokens tokens) {
  return KernelReader(tokens).run();
}

std::vector<std::string> kernel_names(std::string_view source) {
  const std::vector<CppToken> tokens = cpp_tokens(source);
  std::vector<std::string> names;
  for (const KernelDeclaration& kernel : kernel_declarations(tokens)) {
    if (std::find(names.begin(), names.end(), kernel.name) == names.end()) {
      names.push_back(kernel.name);
    }
  }
  return names;
}

std::string_view plain_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  kernel.remove_prefix(kernel.rfind(':') + 1);  // npos + 1 is 0
  return kernel.substr(0, kernel.find_last_not_of(' ') + 1);
}

Location kernel_location(std::string_view source, std::string_view kernel) {
  const std::vector<CppToken> tokens = cpp_tokens(source);
  const std::string_view name = plain_name(kernel);
  Location found;
  for (const KernelDeclaration& one : kernel_declarations(tokens)) {
    if (one.name != name || (found.line != 0 && !one.is_definition)) continue;
    found = {"", one.place.line, one.place.column};
    if (one.is_definition) break;
  }
  return found;
}

}  // namespace warpcheck::contract
