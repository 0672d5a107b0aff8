// The whole command line: the program with all subcommands.
#pragma once

#include <memory>

#include "cli/help/command_app.hpp"
#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

/// The parsed command becomes `chosen`, to which the program keeps a reference.
[[nodiscard]] std::unique_ptr<CommandApp> make_program(Command& chosen);

}  // namespace warpcheck::cli
