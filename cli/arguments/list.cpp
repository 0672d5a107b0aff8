#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {

void add_list(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand("list", "variants, contracts, devices");
  ListCommand& list = chosen_by<ListCommand>(command, chosen);
  command.add_option("target", list.targets, kTargets)->option_text("TARGET...");
}

}  // namespace warpcheck::cli
