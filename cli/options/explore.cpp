#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_explore(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "explore", "find the condition under which a kernel is correct");
  command.about =
      "Runs cases of all shapes on the virtual device, also outside `requires`, and infers the "
      "condition under which they pass, such as k % 8 == 0 and aligned(b, 16). For each part of "
      "the condition, prints the failure without it. Compares the result with `requires`.";
  command.examples = {
      {"warpcheck explore mine.cu", "print the condition for each variant of the contract"},
      {"warpcheck explore mine.cu --write", "write it to `requires` of the contract"},
  };
  command.status_0 = "the condition was found, and no case that the contract admits fails";
  command.status_1 = "a case that the contract admits fails, or no simple condition was found";
  ExploreCommand& explore = chosen_by<ExploreCommand>(command, chosen);
  command.add_option("target", explore.target, "a variant, a glob, a .cu or .ptx file or a folder")
      ->required()
      ->option_text("TARGET");
  command.add_flag("--write", explore.write,
                   "replace `requires` in the contract by the condition found");
  // Not in the table of options: this size has a default and a range of its own.
  add_parsed(command, "--max-size", explore.max_size, parse_integer<std::int64_t, 1, 65536>,
             "a size from 1 to 65536", "largest m, n and k (2048)")
      .option_text("N");
  add_options(command, explore.common);
}

}  // namespace warpcheck::cli
