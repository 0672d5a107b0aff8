// Names of files in reports.
#pragma once

#include <optional>
#include <string>

#include "base/paths.hpp"

namespace warpcheck::report {

using warpcheck::relative_path;
using warpcheck::shown_path;

/// A URI reference (RFC 3986) relative to the root of the file's git repository, or, if it has
/// none, to the current folder; empty if the file is outside both.
[[nodiscard]] std::optional<std::string> path_in_repository(const std::string& file);

/// "file:///tmp/a%20b.cu"
[[nodiscard]] std::string file_uri(const std::string& file);

}  // namespace warpcheck::report
