#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
void add_check(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "check", "check variants with generated cases");
  command.about =
      "Generates cases from each contract's domain, runs the kernel on them, and compares the "
      "results with the reference. The device also checks memory accesses, races and barriers. A "
      "failing case is shrunk to the smallest one with the same failure, confirmed, and printed "
      "with the source line and a replay command. The same seed gives the same cases and the "
      "same report, whatever the number of threads.";
  command.examples = {
      {"warpcheck check mine.cu",
       "run 100 cases of each variant in a file, on a GPU if there is one"},
      {"warpcheck check mine.cu --device virtual --cases 1000 --time 2m",
       "run 1000 cases on the CPU under full checking, for at most two minutes"},
      {"warpcheck check 'sgemm_*' --json report.jsonl",
       "check the built-in variants that match, and write JSON Lines"},
      {"warpcheck check kernels/ --history h.db --resume",
       "check a folder, and continue an interrupted campaign"},
      {"warpcheck check mine.cu --device virtual --lcov cov.info --min-coverage 95",
       "measure the coverage of the source, and fail below 95 % of the lines"},
  };
  command.status_130 = "Ctrl-C or SIGTERM ended the campaign early; the reports are incomplete";
  command.status_1 =
      "findings, a pass whose data could not have exposed a defect, or too little "
      "coverage";
  CheckCommand& check = chosen_by<CheckCommand>(command, chosen);
  command.add_option("target", check.targets, kTargets)->option_text("TARGET...");
  add_options(command, check.common);
  command.get_option("--history")->envname("WARPCHECK_HISTORY");
  command.get_option("--resume")->needs(command.get_option("--history"));
  command.get_option("--fail-on-drift")->needs(command.get_option("--history"));
  command.get_option("--allow-empty")->needs(command.get_option("--shard"));
}

}  // namespace warpcheck::cli
