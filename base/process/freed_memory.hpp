// Reuse of freed memory.
#pragma once

namespace warpcheck {

/// Lets the C library keep freed memory for the next case instead of returning it to the system:
/// each case would take its pages, zeroed, from the system again, which locks all threads out.
void keep_freed_memory();

}  // namespace warpcheck
