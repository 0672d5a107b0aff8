#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {

void add_bisect(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand(
      "bisect", "the commit of a repository since which a case fails, by git bisect");
  BisectCommand& bisect = chosen_by<BisectCommand>(command, chosen);
  command.add_option("case", bisect.what, "a case line, or a file of case lines")
      ->required()
      ->option_text("CASE|FILE");
  CLI::Option* const good = command.add_option("--good", bisect.good, "a revision that passes");
  good->option_text("REVISION");
  CLI::Option* const bad =
      command.add_option("--bad", bisect.bad, "a later revision that fails (HEAD)");
  bad->option_text("REVISION");
  command
      .add_option("--in", bisect.in,
                  "the .cu file or folder that holds the variant, in this repository")
      ->option_text("PATH");
  command
      .add_flag("--step", bisect.step,
                "ask the files as they lie here, for a `git bisect run` of your own: exit status 0 "
                "where they pass, 1 where they fail, 125 where they cannot be asked")
      ->excludes(good)
      ->excludes(bad);
  add_device_options(command, bisect.common);
  add_json(command, bisect.common.json);
  add_verbose(command, bisect.common.verbose);
  command.footer(
      "Example: warpcheck bisect --good v1.2 --bad HEAD --in mine.cu 'mine m=65 n=33 k=17'\n"
      "Exit status: 0 the first bad commit was found; 1 it is one of several, as the others cannot "
      "be\nasked; 2 and 3 as everywhere.");
}

}  // namespace warpcheck::cli
