#include "cli/options/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/closest_word.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/visible_text.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/options/program.hpp"

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

/// The names of the options, such as "--device".
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// An error for an option that neither the program nor the command has, with the closest one.
std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  const std::vector<std::string> names = option_names(command);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto near = nearest(option, known);
  const std::string other =
      command.get_name() == "submit" ? "; the options of what the shards run come after `--`" : "";
  return fmt::format("unknown option '{}' of '{}'{}{}", option, command.get_name(),
                     near ? fmt::format(": did you mean '{}'?", *near) : "", other);
}

/// Prints an error unless the first word, an option, is one of the program. CLI11 would print only
/// that a command is required.
bool require_program_option(const CLI::App& program, const std::string& word) {
  if (program.get_option_no_throw(word) != nullptr) return true;
  const std::string option = word.substr(0, word.find('='));
  const CLI::App* check = program.get_subcommand("check");
  const std::string message =
      check->get_option_no_throw(option) == nullptr
          ? unknown_option(program, word)
          : fmt::format("expected a command before '{0}', such as 'warpcheck check {0}'", option);
  fmt::print(stderr, "{}\nRun with --help for more information.\n", visible(message));
  return false;
}

/// Prints an error for the first unknown option; false if only other words are left over.
bool print_unknown_option(const CLI::App& program) {
  for (const CLI::App* command : program.get_subcommands()) {
    for (const std::string& word : command->remaining()) {
      if (!word.starts_with('-')) continue;
      fmt::print(stderr, "{}\nRun with --help for more information.\n",
                 visible(unknown_option(*command, word)));
      return true;
    }
  }
  return false;
}

}  // namespace

Command parse_arguments(int argc, const char* const* argv) {
  Command chosen;
  const auto program = make_program(chosen);
  if (argc < 2) {
    std::cerr << program->help();
    return Leave{kInputError};  // a script that passes an empty command must not succeed
  }
  const bool is_known = argv[1][0] == '-' ? require_program_option(*program, argv[1])
                                          : require_known_command(*program, argv[1]);
  if (!is_known) return Leave{kInputError};
  try {
    program->parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    if (!print_unknown_option(*program)) std::cerr << visible(error.what()) << '\n';
    return Leave{kInputError};
  } catch (const CLI::ArgumentMismatch& error) {
    // "--cases: 1 required TEXT missing"
    const std::string_view text = error.what();
    std::cerr << visible(text.ends_with(" missing") ? fmt::format("{}: the value is missing",
                                                                  text.substr(0, text.find(':')))
                                                    : std::string(text))
              << "\nRun with --help for more information.\n";
    return Leave{kInputError};
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
