#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>

#include "cli/arguments/program.hpp"
#include "cli/exit_status.hpp"

namespace warpcheck::cli {

Command parse_arguments(int argc, const char* const* argv) {
  Command chosen;
  const auto program = make_program(chosen);
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Leave{program->exit(error) == 0 ? kPassed : kInputError};
  }
  const std::string called = argc > 0 ? argv[0] : "warpcheck";
  std::visit(
      [&called](auto& command) {
        if constexpr (requires { command.common; }) command.common.program = called;
      },
      chosen);
  return chosen;
}

}  // namespace warpcheck::cli
