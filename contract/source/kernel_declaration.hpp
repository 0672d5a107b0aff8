// The kernels that a CUDA C++ text declares, found without a compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/source/cpp_token.hpp"

namespace warpcheck::contract {

struct TemplateParameter {
  std::string kind;   // "int", "typename", "bool" ...; empty for anything else
  std::string name;   // may be empty
  std::string value;  // the default; empty: none
};

struct KernelParameter {
  std::string type;  // text in the source: "const float* __restrict__"
  std::string name;  // may be empty
  [[nodiscard]] bool is_pointer() const { return type.find('*') != std::string::npos; }
  [[nodiscard]] bool is_constant() const { return type.find("const") != std::string::npos; }
};

struct KernelDeclaration {
  std::string name;       // name without its scope
  std::string qualified;  // name with namespaces: "ns::sgemm"
  CppToken place;         // the token of the name
  bool is_definition = false;
  CppTokens template_list;  // tokens between the angle brackets; empty: no template
  std::vector<TemplateParameter> templates;
  std::vector<KernelParameter> parameters;
  CppTokens body;           // tokens between the braces
  std::string bounds_text;  // first argument of __launch_bounds__; empty: none
};

/// The declarations and definitions, in the order of the text.
[[nodiscard]] std::vector<KernelDeclaration> kernel_declarations(CppTokens tokens);

/// The names of the kernels without their scopes, each once.
[[nodiscard]] std::vector<std::string> kernel_names(std::string_view source);

/// "ns::sgemm<128, 8>" -> "sgemm".
[[nodiscard]] std::string_view plain_name(std::string_view kernel);

/// The place of the name in the definition of a kernel "ns::name<8>", or in its first declaration;
/// line and column are 0 if there is none.
[[nodiscard]] Location kernel_location(std::string_view source, std::string_view kernel);

}  // namespace warpcheck::contract
