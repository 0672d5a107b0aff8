#include "contract/source/kernel_template.hpp"

#include <algorithm>
#include <cstddef>

#include "contract/source/kernel_declaration.hpp"

namespace warpcheck::contract {
namespace {

/// The source of the tokens, with its line breaks.
std::string source_of(std::string_view source, CppTokens tokens) {
  const std::size_t begin = tokens.front().offset;
  const std::size_t end = tokens.back().offset + tokens.back().text.size();
  return std::string(source.substr(begin, end - begin));
}

/// The texts `name<...>` outside of the template's own declaration.
std::vector<std::string> instances_of(std::string_view source, CppTokens tokens,
                                      std::string_view name) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(name) || !tokens[i + 1].is("<")) continue;
    const std::size_t end = closing_angle(tokens, i + 1);
    if (end == tokens.size()) continue;
    std::string text = source_of(source, tokens.subspan(i, end - i + 1));
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
  }
  return found;
}

}  // namespace

std::optional<KernelTemplate> kernel_template(std::string_view source, std::string_view kernel) {
  const std::vector<CppToken> tokens = cpp_tokens(source);
  const std::string_view name = plain_name(kernel);
  std::optional<KernelTemplate> found;
  for (const KernelDeclaration& one : kernel_declarations(tokens)) {
    if (one.name != name || one.template_list.empty()) continue;
    if (found) {
      found->is_overloaded = true;
      return found;
    }
    found = {source_of(source, one.template_list), false, instances_of(source, tokens, name)};
  }
  return found;
}

}  // namespace warpcheck::contract
