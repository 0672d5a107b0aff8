// Getting the kernels that contracts name into PTX, and finding them there.
//
// A template is compiled only where it is used, and its mangled name depends on its signature,
// which a contract does not give. So nvcc compiles a text that includes the .cu and uses each
// kernel as the argument of a variable template: that instantiates the kernel, and the variable's
// own mangled name then says which kernel C++ understood, through aliases, default arguments and
// constants. The .cu itself stays as it is, and so do the lines that -lineinfo records.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::contract {

/// The text to compile for the launches of one .cu (which `source_file` names absolutely).
[[nodiscard]] std::string instantiating_text(const std::string& source_file,
                                             std::span<const LaunchStep> steps);

/// nvcc's first complaint about the use of each launch's kernel, where it has one. Empty
/// altogether if nvcc complained of anything else than such uses.
[[nodiscard]] std::vector<std::optional<std::string>> complaints(
    std::string_view nvcc_output, const std::filesystem::path& text_file,
    std::span<const LaunchStep> steps);

/// The entries that the launches name in the PTX of instantiating_text(); empty where the name
/// stands for a function that is no kernel.
[[nodiscard]] std::vector<std::optional<Entry>> instantiated_entries(
    std::string_view text, std::span<const LaunchStep> steps);

/// A mangled name as C++ writes it, "void ns::sgemm<128>(float const*, int)". Any other name is
/// returned unchanged.
[[nodiscard]] std::string demangle(const std::string& name);

/// The names that follow `__global__` in a text, without repetition: for error messages.
[[nodiscard]] std::vector<std::string> kernel_names(std::string_view source);

}  // namespace warpcheck::contract
