// The end of a process that runs code of users.
#pragma once

namespace warpcheck {

/// Makes a crash end the process by its signal, even in a build with sanitizers, which would report
/// the crash and exit. The process leaves no core file.
void end_by_signal_on_crash();

}  // namespace warpcheck
