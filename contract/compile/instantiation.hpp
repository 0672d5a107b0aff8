// Instantiates the kernels of contracts, and finds them in the PTX.
//
// A template is compiled only if it is used, and its mangled name depends on its signature, which a
// contract does not give. So nvcc compiles a text that includes the .cu and uses each kernel as the
// argument of a variable template. That instantiates the kernel, and the mangled name of the
// variable contains that of the kernel, with aliases, default arguments and constants resolved. The
// .cu itself is unchanged, and so are the lines that -lineinfo records.
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

/// "void ns::sgemm<8>(float*)" -> "ns::sgemm<8>".
[[nodiscard]] std::string_view without_signature(std::string_view function);

/// The text to compile for the launches of one .cu. `source_file` is an absolute path.
[[nodiscard]] std::string instantiating_text(const std::string& source_file,
                                             std::span<const LaunchStep> steps);

/// The first error of nvcc for the use of each launch's kernel, if there is one. The result is
/// empty if nvcc has an error at any other place.
[[nodiscard]] std::vector<std::optional<std::string>> errors_of_uses(
    std::string_view nvcc_output, const std::filesystem::path& text_file,
    std::span<const LaunchStep> steps);

/// The entries of the launches in the PTX of instantiating_text(); empty for a function that is not
/// a kernel.
[[nodiscard]] std::vector<std::optional<Entry>> instantiated_entries(
    std::string_view text, std::span<const LaunchStep> steps);

/// The file with the delimiters of an #include: "..." or, if its name has quotes, <...>. Throws
/// InputError if no #include can name it.
[[nodiscard]] std::string quoted_include(const std::filesystem::path& file);

}  // namespace warpcheck::contract
