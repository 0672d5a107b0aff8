// Errors that keep a GPU from loading the PTX of a compiled source.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

/// The ptxas of the toolkit. `nvcc` can be a symbolic link into the folder of the toolkit. Throws
/// EnvironmentError if there is none.
[[nodiscard]] std::filesystem::path find_ptxas();

/// The errors in an output of ptxas for this PTX. Errors about the machine or the options of ptxas
/// are left out, and those about functions that another module may define.
[[nodiscard]] std::vector<AssemblyError> assembly_errors(std::string_view output,
                                                         const Compiled& compiled);

/// Adds the errors of ptxas to a compiled source. The output of ptxas is cached beside the PTX. If
/// there is no ptxas, adds the instructions that the target of the PTX lacks: see target_errors().
[[nodiscard]] std::shared_ptr<const Compiled> assembled(std::shared_ptr<const Compiled> compiled);

}  // namespace warpcheck::contract
