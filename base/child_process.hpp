// Runs another program and waits for its end. No shell is involved.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace warpcheck {

struct ChildResult {
  int status = 0;      // exit status; 128 + number of the signal that ended it
  std::string output;  // standard output and standard error, interleaved as written
};

/// `command[0]` is the program's path, or a name that is searched on PATH. Standard input is empty,
/// and no signal is blocked. Throws EnvironmentError if the program cannot be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command);

/// The same, but the child inherits standard error and runs in its own process group. `group` holds
/// the number of that group while the child runs, so that another thread can end it.
[[nodiscard]] ChildResult run_child_group(const std::vector<std::string>& command,
                                          std::atomic<int>& group);

}  // namespace warpcheck
