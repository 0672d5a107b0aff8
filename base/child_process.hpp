// Another program, run to its end. No shell is involved.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace warpcheck {

struct ChildResult {
  int status = 0;      // exit status; 128 + number of the signal that ended it
  std::string output;  // standard output and error, as they came
};

/// `command[0]` is the program's path, or a name to look up on PATH. Standard input is empty; no
/// signal is blocked. Throws EnvironmentError where the program cannot be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command);

/// The same, with standard error going where this process's goes, and the child in a process group
/// of its own, whose number `group` holds while it runs: for another thread to end all of it.
[[nodiscard]] ChildResult run_child_group(const std::vector<std::string>& command,
                                          std::atomic<int>& group);

}  // namespace warpcheck
