#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_mutate(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "mutate", "measure how many planted defects the campaign detects");
  command.about =
      "Plants small defects in the kernel's PTX, one at a time, and checks each mutant as check "
      "checks the kernel. A campaign that does not kill a mutant would also miss such a defect.";
  command.examples = {
      {"warpcheck mutate sgemm_tiled16",
       "print the score of a built-in variant, and the surviving mutants with their lines"},
      {"warpcheck mutate mine.cu --min-score 95", "fail if fewer than 95 % are killed"},
      {"warpcheck mutate mine.cu --list", "list the mutants without running them"},
  };
  command.status_0 = "enough mutants were killed";
  command.status_1 = "too few mutants were killed";
  MutateCommand& mutate = chosen_by<MutateCommand>(command, chosen);
  command.add_option("target", mutate.target, "a variant, a glob, a .cu or .ptx file or a folder")
      ->required()
      ->option_text("TARGET");
  add_options(command, mutate.common);
  add_parsed(command, "--mutants", mutate.mutants, parse_integer<std::size_t, 1>,
             "a number of mutants from 1",
             "most mutants per variant; rare operators come first (200)")
      .option_text("N");
  add_parsed(
      command, "--min-score", mutate.min_score, parse_percent, "a percentage from 0 to 100",
      "exit with 1 if less than this percentage of the mutants that are not equivalent is killed")
      .option_text("PERCENT");
  command.add_flag("--list", mutate.list, "list the mutants without running them");
}

}  // namespace warpcheck::cli
