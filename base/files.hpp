// Reads and writes whole files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace warpcheck {

/// Empty if the file cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file);

/// An error about a file as a whole.
[[nodiscard]] InputError file_error(const std::filesystem::path& file, std::string message);

/// Throws InputError if the file cannot be read.
[[nodiscard]] std::string read_input(const std::filesystem::path& file);

/// The text without a byte order mark of UTF-8. Throws InputError for UTF-16 and UTF-32, with the
/// encoding that was found: nvcc and TOML require UTF-8.
[[nodiscard]] std::string utf8_input(const std::filesystem::path& file, std::string text);

/// The utf8_input() of a file. Throws InputError if it cannot be read.
[[nodiscard]] std::string read_utf8(const std::filesystem::path& file);

/// Replaces the file atomically: other processes that use it at the same time read the old
/// content or the new one. Creates missing folders. Throws EnvironmentError.
void write_file(const std::filesystem::path& file, std::string_view text);

/// A path beside `file` that no other thread or process uses, to write to before rename_file().
[[nodiscard]] std::filesystem::path temporary_beside(const std::filesystem::path& file);

/// Renames a complete temporary file. Throws EnvironmentError.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace warpcheck
