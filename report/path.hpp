// How a file is called when a person or another program reads of it.
#pragma once

#include <optional>
#include <string>

#include "base/paths.hpp"

namespace warpcheck::report {

using warpcheck::shown_path;

/// As a URI reference (RFC 3986) relative to the root of the git repository that the file lies in,
/// or, where it lies in none, to the current folder; empty where it does not lie below that either.
[[nodiscard]] std::optional<std::string> path_in_repository(const std::string& file);

/// "file:///tmp/a%20b.cu"
[[nodiscard]] std::string file_uri(const std::string& file);

}  // namespace warpcheck::report
