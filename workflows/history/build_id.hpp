// The build of the running program.
#pragma once

#include <string>

namespace warpcheck::workflows::history {

/// The version and the build ID that the linker gave the running program (ELF's
/// NT_GNU_BUILD_ID), in hexadecimal: "0.1.0 3c5e...". The version alone if it has no build ID.
[[nodiscard]] std::string build_id();

}  // namespace warpcheck::workflows::history
