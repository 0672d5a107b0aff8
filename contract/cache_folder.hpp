// The folder of the cache of PTX.
#pragma once

#include <filesystem>
#include <string>

namespace warpcheck::contract {

/// $XDG_CACHE_HOME/warpcheck, or ~/.cache/warpcheck, or temporary_cache_folder().
[[nodiscard]] std::filesystem::path cache_folder();

/// The folder that is used if cache_folder() cannot be written: a private folder of this user among
/// the temporary files.
[[nodiscard]] std::filesystem::path temporary_cache_folder();

/// Creates the folder. Returns why files in it cannot be written or given to nvcc, such as
/// "Read-only file system"; empty if they can.
[[nodiscard]] std::string refusal_of_folder(const std::filesystem::path& folder);

/// The same for the temporary folder, which must belong to this user alone: another user could
/// replace the PTX in it.
[[nodiscard]] std::string refusal_of_private_folder(const std::filesystem::path& folder);

/// True if nvcc can be given this path. nvcc runs its programs by a shell, which would execute a
/// path like "$(command).cu".
[[nodiscard]] bool is_safe_for_nvcc(const std::filesystem::path& path);

}  // namespace warpcheck::contract
