// Ctrl-C requests the end of a command; a second one ends the process.
#pragma once

#include <atomic>

namespace warpcheck::cli {

/// Installs a handler. The first SIGINT or SIGTERM sets the flag that this function returns.
[[nodiscard]] const std::atomic<bool>& interruptible();

}  // namespace warpcheck::cli
