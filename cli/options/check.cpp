#include <algorithm>

#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
namespace {

using workflows::coverage::MinimumCoverage;

void add_history(CLI::App& command, CheckCommand& check) {
  auto* const history =
      command
          .add_option("--history", check.history, "add the campaign to this database of campaigns")
          ->option_text("FILE")
          ->envname("WARPCHECK_HISTORY");
  command
      .add_flag("--resume", check.resume,
                "continue the unfinished campaign in the history that has the same options and "
                "sources")
      ->needs(history);
  command
      .add_flag("--fail-on-drift", check.fail_on_drift,
                "exit with 1 if a variant passes, but has markedly larger errors than its "
                "previous source")
      ->needs(history);
  add_shard(command, check.shard,
            "run only part I of N of the campaign; `warpcheck merge` joins the histories");
  command
      .add_flag("--allow-empty", check.allow_empty,
                "exit with 0 if the shard has no case; `merge` still requires one in the campaign")
      ->needs(command.get_option("--shard"));
}

/// "90", "lines=90,branches=80"
std::optional<MinimumCoverage> parse_min_coverage(std::string_view text) {
  if (const auto lines = parse_percent(text)) return MinimumCoverage{*lines, 0.0};
  MinimumCoverage minimum;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto percent = parse_percent(part.substr(std::min(equals + 1, part.size())));
    const std::string_view key = part.substr(0, equals);
    if (!percent || (key != "lines" && key != "branches")) return std::nullopt;
    (key == "lines" ? minimum.lines : minimum.branches) = *percent;
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return minimum;
}

void add_coverage(CLI::App& command, CheckCommand& check) {
  add_lcov(command, check.common.lcov);
  add_parsed(command, "--min-coverage", check.min_coverage, parse_min_coverage,
             "a percentage such as 90, or lines=90,branches=80",
             "exit with 1 if the cases execute less than this percentage of a variant's lines, or "
             "with lines=90,branches=80 also of its branches")
      .option_text("PERCENT");
}

}  // namespace

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
  add_device_options(command, check.common);
  add_report_options(command, check.common);
  add_verbose(command, check.common.verbose);
  add_cases(command, check.cases, "number of cases per variant (100)");
  add_time(command, check.budget_seconds, "end the campaign after this time, such as 30s or 2m");
  add_seed(command, check.seed, "seed of the cases (0)");
  add_parsed(command, "--max-size", check.max_size, parse_integer<std::int64_t, 1>, "a size from 1",
             "largest m, n and k, if the contract allows it")
      .option_text("N");
  add_properties(command, check.properties);
  command.add_flag("--keep", check.keep,
                   "save the smallest case of each finding; later runs replay it first");
  command
      .add_option(
          "--regressions", check.regressions,
          "folder of the saved cases (regressions/ next to the source; for built-in variants in "
          "the current folder)")
      ->option_text("FOLDER");
  add_history(command, check);
  add_coverage(command, check);
}

}  // namespace warpcheck::cli
