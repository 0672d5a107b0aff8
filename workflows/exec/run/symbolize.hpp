// Source lines of the calls of the host.
#pragma once

#include "runtime/events/event.hpp"

namespace warpcheck::workflows::exec {

/// Sets the function, the file and the line of each frame, as far as the debug information of its
/// object states them. Runs addr2line of binutils; without it, nothing changes. Removes the calls
/// before main() and those of the C library.
void symbolize(device::HostStack& stack);

}  // namespace warpcheck::workflows::exec
