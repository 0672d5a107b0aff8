#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
namespace {

constexpr unsigned kMostRuns = 10000;

}  // namespace

void add_diff(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "diff", "compare two variants, files or revisions on the same cases");
  command.about =
      "Runs two kernels on the same cases. Prints where their results differ, their errors in "
      "units of the error bound, their cost, and the smallest case on which they differ.";
  command.examples = {
      {"warpcheck diff --rev HEAD~1 mine.cu",
       "compare a file in the working tree with the one of HEAD~1"},
      {"warpcheck diff old.cu new.cu:fast --bits",
       "compare a file with a variant of another; their results must be equal bit by bit"},
  };
  command.status_0 = "new passes and is about as accurate as old";
  command.status_1 =
      "new has findings or markedly larger errors than old; with --bits, also if results differ";
  DiffCommand& diff = chosen_by<DiffCommand>(command, chosen);
  command
      .add_option("target", diff.operands,
                  "each a .cu file, FILE.cu:VARIANT, a folder, a built-in variant or "
                  "REVISION:FILE.cu[:VARIANT]; with --rev, one file")
      ->required()
      ->option_text("OLD NEW");
  command
      .add_option("--rev", diff.revisions,
                  "take the file from this git revision; given twice: old and new; given once: "
                  "old, and new is the file in the working tree")
      ->option_text("REVISION")
      ->allow_extra_args(false);
  command.add_flag("--bits", diff.bits, "exit with 1 if results differ in any bit");
  add_options(command, diff.common);
  add_size(command, diff.size,
           "m x n x k of the matrix product that is timed on a GPU (1024x1024x1024)");
  add_parsed(command, "--runs", diff.runs, parse_integer<unsigned, 1, kMostRuns>,
             "a number of runs from 1 to 10000", "number of timed runs of each side on a GPU (21)")
      .option_text("N");
}

}  // namespace warpcheck::cli
