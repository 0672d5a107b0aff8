// Paths of files as messages show them.
#pragma once

#include <filesystem>
#include <string>

namespace warpcheck {

/// `path` relative to `folder`; empty if it is not below that folder.
[[nodiscard]] std::filesystem::path path_below(const std::filesystem::path& folder,
                                               const std::filesystem::path& path);

/// The nearest folder above `path` with a .git, which is a file in a worktree; empty if there is
/// none.
[[nodiscard]] std::filesystem::path repository_of(const std::filesystem::path& path);

/// The file relative to the root of its git repository, or, if it has none, to the current folder;
/// empty if the file is outside both.
[[nodiscard]] std::filesystem::path relative_to_repository(const std::filesystem::path& file);

/// The absolute path without "." and "..".
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& file);

/// The file relative to the current folder if it is below that folder; otherwise unchanged.
[[nodiscard]] std::string relative_path(const std::string& file);

/// The same path for people to read: see visible().
[[nodiscard]] std::string shown_path(const std::string& file);

}  // namespace warpcheck
