#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_bisect(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "bisect", "find the first commit at which a case fails, by git bisect");
  command.about =
      "Runs git bisect in a temporary worktree of the repository that contains the kernel. The "
      "checkout does not change. Commits on which the case cannot run are skipped.";
  command.examples = {
      {"warpcheck bisect --good v1.2 --in mine.cu 'mine m=65 n=33 k=17'",
       "find the first commit after v1.2 at which this case fails"},
      {"warpcheck bisect --step --in mine.cu regressions/mine.cases",
       "run the cases on the working tree, for your own `git bisect run`"},
  };
  command.status_0 = "the first bad commit was found";
  command.status_1 = "it is one of several commits, because those between them cannot run the case";
  BisectCommand& bisect = chosen_by<BisectCommand>(command, chosen);
  command.add_option("case", bisect.line_or_file, "a case line, or a file of case lines")
      ->required()
      ->option_text("CASE|FILE");
  CLI::Option* const good = command.add_option("--good", bisect.good, "a revision that passes");
  good->option_text("REVISION");
  CLI::Option* const bad =
      command.add_option("--bad", bisect.bad, "a later revision that fails (HEAD)");
  bad->option_text("REVISION");
  command
      .add_option("--in", bisect.in,
                  "the .cu or .ptx file or folder of the variant, in the repository to bisect")
      ->option_text("PATH");
  command
      .add_flag("--step", bisect.step,
                "run the working tree, for your own `git bisect run`: exit with 0 if the case "
                "passes, 1 if it fails, 125 if it cannot run")
      ->excludes(good)
      ->excludes(bad);
  add_options(command, bisect.common);
}

}  // namespace warpcheck::cli
