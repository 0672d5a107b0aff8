// How a file is called when a person or another program reads of it.
#pragma once

#include <string>

namespace warpcheck::report {

/// Relative to the current folder where the file lies below it; otherwise as it is.
[[nodiscard]] std::string shown_path(const std::string& file);

}  // namespace warpcheck::report
