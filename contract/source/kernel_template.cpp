#include "contract/source/kernel_template.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "contract/source/cpp_token.hpp"

namespace warpcheck::contract {
namespace {

using Tokens = std::span<const CppToken>;

/// The source from one token up to another, with its line breaks.
std::string source_between(std::string_view source, const CppToken& first, const CppToken& end) {
  return std::string(source.substr(first.offset, end.offset - first.offset));
}

/// The name of the kernel that is declared from `at` on; empty if another declaration is there.
std::string_view declared_kernel(Tokens tokens, std::size_t at) {
  bool is_kernel = false;
  for (; at < tokens.size(); ++at) {
    const CppToken& token = tokens[at];
    if (token.is(";") || token.is("{") || token.is("}")) return {};
    is_kernel = is_kernel || token.is("__global__");
    const bool opens = at + 1 < tokens.size() && tokens[at + 1].is("(");
    if (!token.is_word() || !opens) continue;
    if (is_kernel && !token.text.starts_with("__")) return token.text;
    at = closing_bracket(tokens, at + 1);  // skips __launch_bounds__(...) and the like
  }
  return {};
}

/// The texts `name<...>` outside of the template's own declaration.
std::vector<std::string> instances_of(std::string_view source, Tokens tokens,
                                      std::string_view name) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(name) || !tokens[i + 1].is("<")) continue;
    const std::size_t end = closing_angle(tokens, i + 1);
    if (end == tokens.size()) continue;
    std::string text = source_between(source, tokens[i], tokens[end]) + ">";
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
  }
  return found;
}

}  // namespace

std::optional<KernelTemplate> kernel_template(std::string_view source, std::string_view kernel) {
  const std::vector<CppToken> all = cpp_tokens(source);
  const Tokens tokens(all);
  const std::string_view name = kernel.substr(std::min(kernel.rfind(':') + 1, kernel.size()));
  std::optional<KernelTemplate> found;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is("template") || !tokens[i + 1].is("<")) continue;
    const std::size_t end = closing_angle(tokens, i + 1);
    const bool has_parameters = end >= i + 3 && end < tokens.size();
    if (!has_parameters || declared_kernel(tokens, end + 1) != name) continue;
    if (found) {
      found->is_overloaded = true;
      return found;
    }
    found = {source_between(source, tokens[i + 2], tokens[end]), false,
             instances_of(source, tokens, name)};
  }
  return found;
}

}  // namespace warpcheck::contract
