// Runs another program and waits for its end. No shell is involved.
#pragma once

#include <string>
#include <vector>

namespace warpcheck {

struct ChildResult {
  int status = 0;      // exit status; 128 + number of the signal that ended it
  std::string output;  // standard output and standard error, interleaved as written
};

struct ChildOptions {
  bool inherits_standard_error = false;  // false: standard error is part of the output
  bool is_interruptible = true;  // false: work that an interruption must not leave half done
  std::vector<std::string> environment = {};  // "NAME=value", added to this process's own
};

/// `command[0]` is the program's path, or a name that is searched on PATH. Standard input is empty.
/// Once this process is interruptible(), an interruption ends the child and its own children, and
/// the call throws Interrupted. Throws EnvironmentError if the program cannot be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command,
                                    ChildOptions options = {});

}  // namespace warpcheck
