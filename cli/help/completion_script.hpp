// What makes a shell complete the command lines of warpcheck: it asks `warpcheck complete` for the
// candidates, and adds files where that says so.
#pragma once

#include <string>

#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

[[nodiscard]] std::string completion_script(Shell shell);

}  // namespace warpcheck::cli
