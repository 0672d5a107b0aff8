// Whole files, read and written at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace warpcheck {

/// Empty where the file cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file);

/// An error about a file as a whole.
[[nodiscard]] InputError file_error(const std::filesystem::path& file, std::string message);

/// Throws InputError where the file cannot be read.
[[nodiscard]] std::string read_input(const std::filesystem::path& file);

/// The file appears whole or not at all, also to other processes that read or write it at the same
/// time. Makes missing folders. Throws EnvironmentError.
void write_file(const std::filesystem::path& file, std::string_view text);

/// A name beside `file` that no other thread or process uses, to write to before renaming.
[[nodiscard]] std::filesystem::path temporary_beside(const std::filesystem::path& file);

/// Renames a finished temporary. Throws EnvironmentError.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace warpcheck
