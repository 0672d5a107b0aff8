#include "cli/options/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/closest_word.hpp"
#include "base/text/visible_text.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/options/program.hpp"
#include "cli/options/shell.hpp"

namespace warpcheck::cli {
namespace {

/// Prints an error with the closest command unless the first word is a command. CLI11 would print
/// only that a command is required.
bool require_known_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return true;
    const bool hidden = command->get_group().empty();
    if (!hidden) names.push_back(command->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  fmt::print(stderr, "{}\nRun with --help for more information.\n",
             visible(unknown("command", word, known)));
  return false;
}

}  // namespace

Command parse_arguments(int argc, const char* const* argv) {
  Command chosen;
  const auto program = make_program(chosen);
  if (argc > 1 && argv[1][0] != '-' && !require_known_command(*program, argv[1])) {
    return Leave{kInputError};
  }
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream message;
    const int status = program->exit(error, std::cout, message);
    std::cerr << visible(message.str(), true);
    return Leave{status == 0 ? kPassed : kInputError};
  }
  const std::string called = argc > 0 ? argv[0] : "warpcheck";
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i == 0 ? "" : " ") + shell_word(argv[i]);
  std::visit(
      [&](auto& command) {
        if constexpr (requires { command.common; }) {
          command.common.program = called;
          command.common.command_line = line;
        }
      },
      chosen);
  return chosen;
}

}  // namespace warpcheck::cli
