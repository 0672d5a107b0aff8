// Kernel templates of a CUDA C++ text, found without a compiler, for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::contract {

struct KernelTemplate {
  std::string parameters;              // "int T, class Element"
  bool is_overloaded = false;          // a second template of the text has its name
  std::vector<std::string> instances;  // instances named in the text: "multiply<8>", in text order
};

/// The template of a kernel, which may have a scope and arguments: "ns::multiply<8>". Empty if no
/// template of the text is a kernel of this name.
[[nodiscard]] std::optional<KernelTemplate> kernel_template(std::string_view source,
                                                            std::string_view kernel);

}  // namespace warpcheck::contract
