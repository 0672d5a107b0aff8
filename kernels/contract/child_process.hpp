// Another program, run to its end. No shell is involved.
#pragma once

#include <string>
#include <vector>

namespace warpcheck::kernels {

struct ChildResult {
  int status = 0;      // exit status; 128 + number of the signal that ended it
  std::string output;  // standard output and error, as they came
};

/// `command[0]` is the program's path, or a name to look up on PATH. Standard input is empty.
/// Throws EnvironmentError where the program cannot be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command);

}  // namespace warpcheck::kernels
