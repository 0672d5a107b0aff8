#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
namespace {

constexpr unsigned kMostRuns = 10000;

}  // namespace

void add_diff(CLI::App& app, Command& chosen) {
  CommandApp& command =
      add_command(app, "diff", "two variants, files or revisions on the same cases");
  command.about =
      "Runs two kernels on the same cases and tells where their bits differ, how their "
      "errors compare in units of the bound, what each costs, and the smallest case on "
      "which they differ.";
  command.examples = {
      {"warpcheck diff --rev HEAD~1 mine.cu",
       "a file, as it was before the last commit and as it lies here"},
      {"warpcheck diff old.cu new.cu:fast --bits",
       "the variant of one file and a variant of another, which must agree to the bit"},
  };
  command.status_0 = "new passes and is about as accurate as old";
  command.status_1 =
      "new has findings, or errs markedly more than old, or, with --bits, bits of D "
      "differ";
  DiffCommand& diff = chosen_by<DiffCommand>(command, chosen);
  command
      .add_option("target", diff.what,
                  "two of: a .cu file, FILE.cu:VARIANT, a folder, a built-in variant, "
                  "REVISION:FILE.cu[:VARIANT]; or one file with --rev")
      ->required()
      ->option_text("OLD NEW");
  command
      .add_option("--rev", diff.revisions,
                  "compare the file as this git revision has it; given twice: old and new; "
                  "once: with the file as it lies here")
      ->option_text("REVISION")
      ->allow_extra_args(false);
  command.add_flag("--bits", diff.bits, "bits of D that differ are a failure");
  add_cases(command, diff.cases, "cases in both domains (100)");
  add_seed(command, diff.seed, "the cases follow from it (0)");
  add_size(command, diff.size, "m x n x k of the problem that is timed on a GPU (1024x1024x1024)");
  add_parsed(command, "--runs", diff.runs, parse_integer<unsigned, 1, kMostRuns>,
             "a number of runs from 1 to 10000", "runs that are timed on a GPU, of each (21)")
      .option_text("N");
  add_device_options(command, diff.common);
  add_json(command, diff.common.json);
  add_verbose(command, diff.common.verbose);
}

}  // namespace warpcheck::cli
