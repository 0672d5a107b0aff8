#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_merge(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "merge", "join the histories of shards or of several machines, or corpora");
  command.about =
      "Adds histories of check to one. A campaign whose shards are all there becomes one "
      "campaign, and is reported as check would have. Folders that fuzz wrote are joined "
      "likewise.";
  command.examples = {
      {"warpcheck merge shard-1.db shard-2.db -o history.db", "the shards of a campaign"},
      {"warpcheck merge theirs/.warpcheck/fuzz -o .warpcheck/fuzz",
       "what another machine found by fuzzing"},
  };
  command.status_0 = "everything was joined; campaigns that became whole passed";
  command.status_1 = "a campaign that became whole has findings";
  MergeCommand& merge = chosen_by<MergeCommand>(command, chosen);
  command
      .add_option("from", merge.from,
                  "histories of `check --history`, of its shards or others; or corpora of `fuzz`")
      ->required()
      ->option_text("FROM...");
  command.add_option("-o,--output", merge.to, "the history or the folder that they are added to")
      ->required()
      ->option_text("TO");
  add_report_options(command, merge.common);
}

}  // namespace warpcheck::cli
