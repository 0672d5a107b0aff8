#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_bisect(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(
      app, "bisect", "the commit of a repository since which a case fails, by git bisect");
  command.about =
      "Drives git bisect over the repository that holds the kernel, in a worktree of its "
      "own: the checkout stays as it is. Commits at which the case cannot be asked are "
      "passed over.";
  command.examples = {
      {"warpcheck bisect --good v1.2 --in mine.cu 'mine m=65 n=33 k=17'",
       "since which commit after v1.2 does this case fail?"},
      {"warpcheck bisect --step --in mine.cu regressions/mine.cases",
       "the question alone, for a `git bisect run` of your own"},
  };
  command.status_0 = "the first bad commit was found";
  command.status_1 = "it is one of several, as the others cannot be asked";
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
}

}  // namespace warpcheck::cli
