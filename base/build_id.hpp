// The identity of the running program.
#pragma once

#include <string>

namespace warpcheck {

/// The hexadecimal digits of the build ID that the linker stored in the program: another build has
/// another one. Empty if there is none.
[[nodiscard]] std::string build_id();

}  // namespace warpcheck
