// The version of the program.
#pragma once

namespace warpcheck::cli {

/// "0.2.0"
[[nodiscard]] const char* program_version();

}  // namespace warpcheck::cli
