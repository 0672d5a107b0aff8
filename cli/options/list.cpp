#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_list(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "list", "list variants, contracts and devices");
  command.about =
      "Prints the variants of the targets with their contracts, and the devices of this machine.";
  command.examples = {
      {"warpcheck list", "list all built-in variants"},
      {"warpcheck list 'hgemm_*' mine.cu",
       "list the built-in variants that match, and those of a file"},
  };
  command.status_0 = "the list was printed";
  ListCommand& list = chosen_by<ListCommand>(command, chosen);
  command.add_option("target", list.targets, kTargets)->option_text("TARGET...");
}

}  // namespace warpcheck::cli
