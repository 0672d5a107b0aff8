#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_fuzz(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(
      app, "fuzz", "search for failing cases, guided by what earlier cases made the kernel do");
  command.about =
      "Mutates cases that made the kernel do something new, and so reaches defects that randomly "
      "generated cases miss. A folder stores cases and findings; the next search replays the "
      "findings and continues. Ctrl-C ends the search and saves everything.";
  command.examples = {
      {"warpcheck fuzz mine.cu --time 2m --device virtual",
       "search for two minutes in the variants of a file"},
      {"warpcheck fuzz mine.cu --minimize", "remove stored cases that add nothing"},
  };
  command.status_0 = "nothing was found";
  FuzzCommand& fuzz = chosen_by<FuzzCommand>(command, chosen);
  command.add_option("target", fuzz.targets, "variants, globs, .cu or .ptx files, or folders")
      ->required()
      ->option_text("TARGET...");
  add_options(command, fuzz.common);
  command
      .add_option("--corpus", fuzz.corpus, "folder of stored cases and findings (.warpcheck/fuzz)")
      ->option_text("FOLDER");
  command.add_flag("--stop-at-first", fuzz.stop_at_first,
                   "end a variant's search at its first finding");
  auto* const unguided = command.add_flag(
      "--unguided", fuzz.unguided, "generate cases as check does, without using earlier cases");
  command
      .add_flag("--minimize", fuzz.minimize,
                "remove stored cases that add nothing, instead of searching")
      ->excludes(unguided);
  command
      .add_flag("--minimise", fuzz.minimize, "the same as --minimize")  // retired spelling
      ->excludes(unguided)
      ->group("");
}

}  // namespace warpcheck::cli
