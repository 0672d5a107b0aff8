// The kernels of a source text, and their launches and instances.
#pragma once

#include <string>
#include <vector>

#include "contract/source/kernel_declaration.hpp"
#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

using contract::KernelDeclaration;
using contract::KernelParameter;
using contract::TemplateParameter;

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

/// The kernels that the main file defines, in its order.
[[nodiscard]] std::vector<KernelDeclaration> kernels_in(const SourceText& source);

[[nodiscard]] std::vector<KernelLaunch> launches_in(const SourceText& source);

/// The arguments of `template __global__ void kernel<...>(...);` for each kernel without scope.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> explicit_instances(
    const SourceText& source);

}  // namespace warpcheck::workflows::init
