#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_list(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "list", "variants, contracts, devices");
  command.about =
      "The variants of the targets with the contract of each, and the devices of this "
      "machine.";
  command.examples = {
      {"warpcheck list", "all built-in variants"},
      {"warpcheck list 'hgemm_*' mine.cu", "those of a glob, and those of a file"},
  };
  command.status_0 = "the list was printed";
  ListCommand& list = chosen_by<ListCommand>(command, chosen);
  command.add_option("target", list.targets, kTargets)->option_text("TARGET...");
}

}  // namespace warpcheck::cli
