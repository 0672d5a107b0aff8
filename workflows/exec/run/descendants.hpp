// The processes that a program started.
#pragma once

namespace warpcheck::workflows::exec {

/// Makes each later process whose parent has ended a child of this one, so that
/// signal_descendants() reaches it.
void adopt_orphans();

/// Sends a signal to all children of this process, and to theirs.
void signal_descendants(int signal);

}  // namespace warpcheck::workflows::exec
