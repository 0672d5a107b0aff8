// The kernels of a source text, and their launches and instances.
#pragma once

#include <string>
#include <vector>

#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

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
  unsigned line = 0;
  std::vector<TemplateParameter> templates;
  std::vector<KernelParameter> parameters;
  Tokens body;              // tokens between the braces; empty for a declaration
  std::string bounds_text;  // first argument of __launch_bounds__; empty: none
};

/// One `kernel<arguments><<<grid, block, shared>>>(arguments)`.
struct KernelLaunch {
  std::string kernel;  // name without its scope
  std::vector<std::string> templates;
  std::vector<Tokens> configuration;
  std::vector<Tokens> arguments;
  std::size_t place = 0;           // index of the <<< in the tokens of the main file
  std::size_t function_begin = 0;  // first token of the body of the function around it
  unsigned line = 0;
};

/// The definitions in the main file, in its order.
[[nodiscard]] std::vector<KernelDeclaration> kernels_in(const SourceText& source);

[[nodiscard]] std::vector<KernelLaunch> launches_in(const SourceText& source);

/// The arguments of `template __global__ void kernel<...>(...);` for each kernel without scope.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> explicit_instances(
    const SourceText& source);

}  // namespace warpcheck::workflows::init
