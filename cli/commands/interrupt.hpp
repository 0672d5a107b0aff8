// Ctrl-C asks a command to end, a second one ends it.
#pragma once

#include <atomic>

namespace warpcheck::cli {

/// From now on the first SIGINT or SIGTERM sets what this returns.
[[nodiscard]] const std::atomic<bool>& interruptible();

}  // namespace warpcheck::cli
