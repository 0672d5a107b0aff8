// Texts that users write, in the encodings of their editors.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"

namespace warpcheck {

/// The text without a byte order mark of UTF-8. Throws InputError for UTF-16 and UTF-32, with the
/// encoding that was found: nvcc and TOML require UTF-8.
[[nodiscard]] std::string utf8_input(const std::filesystem::path& file, std::string text);

/// The source text of a file. Throws InputError if it cannot be read.
[[nodiscard]] std::string read_utf8(const std::filesystem::path& file);

}  // namespace warpcheck
