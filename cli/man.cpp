#include <fmt/format.h>

#include <iostream>

#include "base/diagnostic.hpp"
#include "cli/arguments/program.hpp"
#include "cli/commands.hpp"
#include "cli/exit_status.hpp"
#include "cli/help/man_page.hpp"

namespace warpcheck::cli {

int run(const ManCommand& command) {
  Command unused;
  const auto program = make_program(unused);
  std::vector<std::string> others;
  if (!command.command.empty()) others.push_back(program->get_name());
  const CommandApp* asked = command.command.empty() ? program.get() : nullptr;
  for (const CommandApp* listed : listed_commands(*program)) {
    if (listed->get_name() == command.command) {
      asked = listed;
    } else {
      others.push_back(program->get_name() + "-" + listed->get_name());
    }
  }
  if (asked == nullptr) {
    throw InputError(Diagnostic{{}, fmt::format("there is no command '{}'", command.command), {}});
  }
  std::cout << man_page(description_of(*asked), others, command.date);
  return kPassed;
}

}  // namespace warpcheck::cli
