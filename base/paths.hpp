// Paths of files as messages show them.
#pragma once

#include <filesystem>
#include <string>

namespace warpcheck {

/// `path` relative to `folder`; empty if it is not below that folder.
[[nodiscard]] std::filesystem::path path_below(const std::filesystem::path& folder,
                                               const std::filesystem::path& path);

/// The file relative to the current folder if it is below that folder; otherwise unchanged.
[[nodiscard]] std::string shown_path(const std::string& file);

}  // namespace warpcheck
