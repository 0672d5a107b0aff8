#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "cli/commands/commands.hpp"
#include "cli/help/man_page.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/options/program.hpp"

namespace warpcheck::cli {
namespace {

/// The program and its listed commands.
std::vector<const CommandApp*> commands_with_pages(const CommandApp& program) {
  std::vector<const CommandApp*> commands = listed_commands(program);
  commands.insert(commands.begin(), &program);
  return commands;
}

/// The page of one command, with references to the pages of all others.
std::string page_of(const CommandApp& command, const std::vector<const CommandApp*>& all,
                    const std::string& date) {
  std::vector<std::string> others;
  for (const CommandApp* other : all) {
    if (other != &command) others.push_back(page_name(*other));
  }
  return man_page(description_of(command), others, date);
}

}  // namespace

int run(const ManCommand& command) {
  Command unused;
  const auto program = make_program(unused);
  const std::vector<const CommandApp*> all = commands_with_pages(*program);
  if (!command.all.empty()) {
    for (const CommandApp* each : all) {
      write_file(std::filesystem::path(command.all) / (page_name(*each) + ".1"),
                 page_of(*each, all, command.date));
    }
    return kPassed;
  }
  const std::string wanted = command.command.empty() ? program->get_name() : command.command;
  for (const CommandApp* each : all) {
    if (each->get_name() != wanted) continue;
    std::cout << page_of(*each, all, command.date);
    return kPassed;
  }
  throw request_error(fmt::format("there is no command '{}'", wanted));
}

}  // namespace warpcheck::cli
