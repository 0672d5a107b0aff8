#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {

void add_fuzz(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand(
      "fuzz", "search for failing cases, guided by what earlier ones made the kernel do");
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
      ->option_text("DIR");
  command.add_flag("--stop-at-first", fuzz.stop_at_first,
                   "end a variant's search with its first finding");
  auto* const unguided = command.add_flag("--unguided", fuzz.unguided,
                                          "draw cases as check does and learn nothing from them");
  command
      .add_flag("--minimise", fuzz.minimise,
                "do not search: drop the cases of the corpus that add nothing")
      ->excludes(unguided);
  command.footer("Example: warpcheck fuzz mine.cu --time 2m --device virtual");
}

}  // namespace warpcheck::cli
