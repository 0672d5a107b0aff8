// The whole command line: the program with all subcommands.
#pragma once

#include <memory>

#include "cli/help/command_app.hpp"
#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

/// What is parsed by it becomes `chosen`, which it keeps a reference to.
[[nodiscard]] std::unique_ptr<CommandApp> make_program(Command& chosen);

}  // namespace warpcheck::cli
