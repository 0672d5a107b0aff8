// Small kernels and the mutants that the operators make of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/ptx/analysis/small_kernel.hpp"
#include "workflows/mutate/operators/mutants.hpp"

namespace warpcheck::workflows::mutate::operators::test {

using ptx::analysis::test::module_of;

/// Returns the replacements that one operator makes in a body, in instruction order; "" if it drops
/// one.
[[nodiscard]] std::vector<std::string> planted(std::string_view name, std::string_view body);

}  // namespace warpcheck::workflows::mutate::operators::test
