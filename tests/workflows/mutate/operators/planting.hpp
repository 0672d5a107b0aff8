// Kernels of a few instructions, and what the operators make of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workflows/mutate/operators/mutants.hpp"

namespace warpcheck::workflows::mutate::operators::test {

/// A module with one entry, "f", of this body and `functions` before it.
[[nodiscard]] ptx::Module module_of(std::string_view body, std::string_view functions = "");

/// What one operator puts in place of a body's instructions, in their order; "" where it drops one.
[[nodiscard]] std::vector<std::string> planted(std::string_view name, std::string_view body);

}  // namespace warpcheck::workflows::mutate::operators::test
