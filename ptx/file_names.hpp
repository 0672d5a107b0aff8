// The names of source files in a PTX text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpcheck::ptx {

/// The characters that a string of PTX stands for. nvcc writes all bytes beyond ASCII and all
/// control characters as octal escapes ("Zo\303\253.cu"), as the assemblers of LLVM and GNU do.
[[nodiscard]] std::string decoded_string(std::string_view text);

/// The inverse of decoded_string().
[[nodiscard]] std::string encoded_string(std::string_view text);

/// The PTX with other names in its `.file` directives: `rename` returns the new name of a file,
/// without escapes. The numbers of lines do not change.
[[nodiscard]] std::string with_file_names(
    std::string_view ptx, const std::function<std::string(const std::string&)>& rename);

}  // namespace warpcheck::ptx
