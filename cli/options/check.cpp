#include <algorithm>

#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
namespace {

constexpr unsigned kMostShards = 65536;

std::optional<ShardChoice> parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = parse_integer<unsigned, 1, kMostShards>(text.substr(0, slash));
  const auto of = parse_integer<unsigned, 1, kMostShards>(
      slash == text.size() ? std::string_view() : text.substr(slash + 1));
  if (!number || !of || *number > *of) return std::nullopt;
  return ShardChoice{*number, *of};
}

void add_history(CLI::App& command, CheckCommand& check) {
  auto* const history = command
                            .add_option("--history", check.history,
                                        "write the campaign into this file, beside those before it")
                            ->option_text("FILE")
                            ->envname("WARPCHECK_HISTORY");
  command
      .add_flag("--resume", check.resume,
                "go on with the history's unfinished campaign of the same options and sources")
      ->needs(history);
  command
      .add_flag("--fail-on-drift", check.fail_on_drift,
                "exit with 1 where a variant passes, but errs markedly more than on its source "
                "before")
      ->needs(history);
  add_parsed(command, "--shard", check.shard, parse_shard,
             "a shard such as 3/16, from 1/N to N/N with N up to 65536",
             "one of N parts of the campaign; `warpcheck merge` joins their histories")
      .option_text("I/N");
}

/// "90", "lines=90,branches=80"
std::optional<MinimumCoverageChoice> parse_min_coverage(std::string_view text) {
  if (const auto lines = parse_percent(text)) return MinimumCoverageChoice{*lines, 0.0};
  MinimumCoverageChoice minimum;
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
             "exit with 1 where the cases execute less of a variant's lines than this: 90, or "
             "lines=90,branches=80")
      .option_text("PERCENT");
}

}  // namespace

void add_check(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "check", "verify variants with cases drawn from a seed");
  command.about =
      "Draws cases from the domain that each contract claims, launches the kernel on "
      "them, and holds what it did against the reference and against every check of the "
      "device. What fails is shrunk to the smallest case that fails in the same way, "
      "confirmed, and told with the line of the source and a command that replays it. "
      "The same seed gives the same cases and the same report, times aside, whatever the "
      "number of threads.";
  command.examples = {
      {"warpcheck check mine.cu",
       "100 cases of each variant of a file, on the GPU where there is one"},
      {"warpcheck check mine.cu --device virtual --cases 1000 --time 2m",
       "more of them, on the CPU under full checking, for two minutes at most"},
      {"warpcheck check 'sgemm_*' --json report.jsonl",
       "built-in variants by a glob; what happens, as JSON Lines"},
      {"warpcheck check kernels/ --history h.db --resume",
       "a folder; a campaign that was killed goes on"},
      {"warpcheck check mine.cu --device virtual --lcov cov.info --min-coverage 95",
       "which lines and branches the cases execute; fewer than 95 % of the lines are a failure"},
  };
  command.status_1 =
      "findings, a pass whose data could not have shown a defect, or too little coverage";
  CheckCommand& check = chosen_by<CheckCommand>(command, chosen);
  command.add_option("target", check.targets, kTargets)->option_text("TARGET...");
  add_device_options(command, check.common);
  add_report_options(command, check.common);
  add_verbose(command, check.common.verbose);
  add_cases(command, check.cases, "cases of each variant (100)");
  add_time(command, check.budget_seconds, "ends the campaign after this time: 30s, 2m");
  add_seed(command, check.seed, "the cases follow from it (0)");
  add_parsed(command, "--max-size", check.max_size, parse_integer<std::int64_t, 1>, "a size from 1",
             "of m, n and k, where the contract allows it")
      .option_text("N");
  add_properties(command, check.properties);
  command.add_flag("--keep", check.keep, "keep the smallest case of each finding as a regression");
  command
      .add_option(
          "--regressions", check.regressions,
          "the folder of regressions, which are asked first (regressions/ beside the .cu; of "
          "built-in variants: here)")
      ->option_text("FOLDER");
  add_history(command, check);
  add_coverage(command, check);
}

}  // namespace warpcheck::cli
