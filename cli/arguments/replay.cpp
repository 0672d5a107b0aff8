#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {

void add_replay(CLI::App& app, Command& chosen) {
  CLI::App& command =
      *app.add_subcommand("replay", "run one case line, with everything said about it");
  ReplayCommand& replay = chosen_by<ReplayCommand>(command, chosen);
  command.add_option("case", replay.what, "a case line, or a file of case lines")
      ->required()
      ->option_text("CASE|FILE");
  command.add_option("--in", replay.in, "the .cu file or folder that holds the variant")
      ->option_text("PATH");
  add_device_options(command, replay.common);
  add_report_options(command, replay.common);
  add_verbose(command, replay.common.verbose);
}

}  // namespace warpcheck::cli
