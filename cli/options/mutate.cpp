#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
void add_mutate(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "mutate", "planted defects in its PTX: how many does the campaign kill?");
  command.about =
      "Plants small defects in the kernel's PTX, one at a time, and asks of each what "
      "check asks of the kernel. A campaign that lets mutants live would let such a "
      "defect pass.";
  command.examples = {
      {"warpcheck mutate sgemm_tiled16",
       "the score of a built-in variant, and the survivors with their lines"},
      {"warpcheck mutate mine.cu --min-score 95", "a gate: fewer than 95 % killed is a failure"},
      {"warpcheck mutate mine.cu --list", "the defects that it would plant"},
  };
  command.status_0 = "enough mutants were killed";
  command.status_1 = "they were not";
  MutateCommand& mutate = chosen_by<MutateCommand>(command, chosen);
  command.add_option("target", mutate.target, "a variant, a glob, a .cu file or a folder")
      ->required()
      ->option_text("TARGET");
  add_cases(command, mutate.cases, "cases that a mutant must survive (500)");
  add_parsed(command, "--mutants", mutate.mutants, parse_integer<std::size_t, 1>,
             "a number of mutants from 1",
             "mutants of each variant, at most; rare operators are taken first (200)")
      .option_text("N");
  add_seed(command, mutate.seed, "the cases and the choice of mutants follow from it (0)");
  add_properties(command, mutate.properties);
  add_parsed(command, "--min-score", mutate.min_score, parse_percent, "a percentage from 0 to 100",
             "exit with 1 where fewer percent of the mutants that are not equivalent are killed")
      .option_text("PERCENT");
  add_jobs(command, mutate.jobs);
  command.add_flag("--list", mutate.list, "name the mutants, and run none");
  add_json(command, mutate.json);
}

}  // namespace warpcheck::cli
