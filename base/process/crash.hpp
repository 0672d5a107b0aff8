// The end of a process that runs code of users.
#pragma once

namespace warpcheck {

/// From now on, a crash ends the process by its signal, also in a build with sanitizers, which
/// would report it and exit. It leaves no core file.
void end_by_signal_on_crash();

}  // namespace warpcheck
