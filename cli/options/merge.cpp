#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_merge(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "merge", "join histories of shards or machines, or fuzzing corpora");
  command.about =
      "Adds histories of check to one history. If all shards of a campaign are present, they "
      "become one campaign, which is reported as check would report it. Joins the folders of "
      "fuzz in the same way.";
  command.examples = {
      {"warpcheck merge shard-1.db shard-2.db -o history.db", "join the shards of a campaign"},
      {"warpcheck merge theirs/.warpcheck/fuzz -o .warpcheck/fuzz",
       "add the cases and findings of another machine"},
  };
  command.status_0 = "everything was joined; all campaigns that are now complete passed";
  command.status_1 = "a campaign that is now complete has findings";
  MergeCommand& merge = chosen_by<MergeCommand>(command, chosen);
  command
      .add_option("from", merge.from, "files of `check --history`, or folders of `fuzz --corpus`")
      ->required()
      ->option_text("FROM...");
  command.add_option("-o,--output", merge.to, "the history or the folder to add them to")
      ->required()
      ->option_text("TO");
  add_options(command, merge.common);
}

}  // namespace warpcheck::cli
