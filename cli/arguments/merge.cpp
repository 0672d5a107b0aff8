#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {

void add_merge(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand(
      "merge", "join the histories of shards or of several machines, or corpora");
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
  command.footer(
      "A campaign whose shards are all there becomes one, and is reported as check would.\n"
      "Example: warpcheck merge shard-1.db shard-2.db -o history.db");
}

}  // namespace warpcheck::cli
