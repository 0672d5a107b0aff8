#include "cli/arguments/options.hpp"
#include "cli/arguments/subcommands.hpp"

namespace warpcheck::cli {
namespace {

/// "95" or "99.5", without its sign.
std::optional<double> parse_percent(std::string_view text) {
  double value = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !(value >= 0.0 && value <= 100.0)) return std::nullopt;
  return value;
}

}  // namespace

void add_mutate(CLI::App& app, Command& chosen) {
  CLI::App& command =
      *app.add_subcommand("mutate", "planted defects in its PTX: how many does the campaign kill?");
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
  command.footer(
      "Example: warpcheck mutate sgemm_tiled16 --min-score 95\n"
      "Exit status: 0 enough mutants were killed; 1 they were not; 2 and 3 as of check.");
}

}  // namespace warpcheck::cli
