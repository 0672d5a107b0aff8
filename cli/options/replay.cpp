#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

void add_replay(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "replay", "run a case line and print its findings");
  command.about =
      "Runs a case line as check prints it, or each line of a file. For a variant that is not "
      "built in, warpcheck uses the file that was last checked, or that of --in.";
  command.examples = {
      {"warpcheck replay 'sgemm_tiled16 m=65 n=33 k=17 off_a=1'",
       "run a case of a built-in variant; absent fields have their defaults"},
      {"warpcheck replay --in mine.cu 'mine m=1 n=1 k=4' -v", "run a case of a variant in a file"},
      {"warpcheck replay regressions/mine.cases", "run every case of a file"},
      {"warpcheck replay 'mine m=1 n=1 k=4' --export report",
       "write report/reproduce.cu, which nvcc compiles and a GPU runs"},
  };
  ReplayCommand& replay = chosen_by<ReplayCommand>(command, chosen);
  command.add_option("case", replay.line_or_file, "a case line, or a file of case lines")
      ->required()
      ->option_text("CASE|FILE");
  command.add_option("--in", replay.in, "the .cu or .ptx file or folder that holds the variant")
      ->option_text("PATH");
  command
      .add_option("--export", replay.export_to,
                  "write a program that runs the case without warpcheck: reproduce.cu, with its "
                  "operands, the correct values and their bounds, and the files of the kernel")
      ->option_text("FOLDER");
  add_options(command, replay.common);
}

}  // namespace warpcheck::cli
