#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_fuzz(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(
      app, "fuzz", "search for failing cases, guided by what earlier ones made the kernel do");
  command.about =
      "Goes on from cases that made the kernel do something new, and so comes to places "
      "that no draw would meet. Cases and findings are kept in a folder; the next search "
      "replays the findings and goes on. Ctrl-C ends it with everything saved.";
  command.examples = {
      {"warpcheck fuzz mine.cu --time 2m --device virtual",
       "two minutes for the variants of a file"},
      {"warpcheck fuzz mine.cu --minimise", "drop the kept cases that add nothing"},
  };
  command.status_0 = "nothing was found";
  FuzzCommand& fuzz = chosen_by<FuzzCommand>(command, chosen);
  command.add_option("target", fuzz.targets, "variants, globs, .cu files or folders")
      ->required()
      ->option_text("TARGET...");
  add_device_options(command, fuzz.common);
  add_report_options(command, fuzz.common);
  add_verbose(command, fuzz.common.verbose);
  add_time(command, fuzz.budget_seconds,
           "how long to search: 30s, 2m (60s, unless --cases is given)");
  add_cases(command, fuzz.cases, "ends a variant's search after this many cases");
  add_seed(command, fuzz.seed, "the search follows from it (0)");
  add_properties(command, fuzz.properties);
  command
      .add_option("--corpus", fuzz.corpus,
                  "the folder that keeps cases and findings (.warpcheck/fuzz)")
      ->option_text("FOLDER");
  command.add_flag("--stop-at-first", fuzz.stop_at_first,
                   "end a variant's search with its first finding");
  auto* const unguided = command.add_flag("--unguided", fuzz.unguided,
                                          "draw cases as check does and learn nothing from them");
  command
      .add_flag("--minimise", fuzz.minimise,
                "do not search: drop the cases of the corpus that add nothing")
      ->excludes(unguided);
}

}  // namespace warpcheck::cli
