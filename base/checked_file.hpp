// Files with a checksum, for caches: a damaged file is not there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck {

/// Replaces the file atomically by the text and a last line with the checksum of the name and the
/// text: "// warpcheck checksum <32 digits>", a comment in PTX. Throws EnvironmentError.
void write_checked(const std::filesystem::path& file, std::string_view text);

/// The text without the checksum. Empty if the file cannot be read, or is not what write_checked()
/// wrote under this name: truncated, changed, or copied from another entry.
[[nodiscard]] std::optional<std::string> read_checked(const std::filesystem::path& file);

}  // namespace warpcheck
