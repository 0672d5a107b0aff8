#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "cli/duration.hpp"
#include "cli/exit_status.hpp"

namespace warpcheck::cli {
namespace {

constexpr unsigned kMostJobs = 1024;
constexpr unsigned kMostRuns = 10000;
constexpr unsigned kMostShards = 65536;

constexpr const char* kFooter =
    "Exit status: 0 everything asked passed; 1 findings; 2 usage, contract or source error;\n"
    "3 this machine cannot do it (no GPU for --device cuda, no nvcc).";

constexpr const char* kTargets =
    "a variant, a glob over the built-in variants, a .cu file or a folder; nothing: all built-in "
    "variants";

/// An option whose text `parse` turns into a value, or into nothing where it is not what was
/// `expected`.
template <typename Value>
CLI::Option& add_parsed(CLI::App& command, const std::string& name, Value& value,
                        std::optional<Value> (*parse)(std::string_view),
                        const std::string& expected, const std::string& description) {
  const auto take = [&value, parse, name, expected](const std::string& text) {
    const std::optional<Value> parsed = parse(text);
    if (!parsed) throw CLI::ValidationError(name, "expected " + expected + ", found " + text);
    value = *parsed;
  };
  return *command.add_option_function<std::string>(name, take, description);
}

/// CLI11's own conversion takes -1 for 2^64 - 1.
template <typename Integer, Integer kLeast, Integer kMost = std::numeric_limits<Integer>::max()>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < kLeast || value > kMost) return std::nullopt;
  return value;
}

std::optional<DeviceChoice> parse_device(std::string_view text) {
  if (text == "auto") return DeviceChoice::automatic;
  if (text == "virtual") return DeviceChoice::virtual_device;
  if (text == "cuda") return DeviceChoice::cuda;
  return std::nullopt;
}

/// The architectures whose tensor cores differ from those before them.
std::optional<unsigned> parse_mma_arch(std::string_view text) {
  if (text == "sm_80") return 80;
  if (text == "sm_89") return 89;
  if (text == "sm_90") return 90;
  if (text == "sm_100") return 100;
  return std::nullopt;
}

void add_mma_arch(CLI::App& command, unsigned& mma_arch) {
  add_parsed(command, "--mma-arch", mma_arch, parse_mma_arch, "sm_80, sm_89, sm_90 or sm_100",
             "whose tensor cores the virtual device has: sm_80, sm_89, sm_90 or sm_100 (those that "
             "the kernel is compiled for)")
      .option_text("ARCH");
}

void add_common(CLI::App& command, Common& common) {
  add_parsed(command, "--device", common.device, parse_device, "auto, virtual or cuda",
             "auto, virtual or cuda (auto: cuda where there is one)")
      .option_text("DEVICE");
  add_parsed(command, "--jobs", common.jobs, parse_integer<unsigned, 0, kMostJobs>,
             "a number of threads from 0 to 1024", "host threads (0: one per processor)")
      .option_text("N");
  add_mma_arch(command, common.mma_arch);
  command.add_flag("--no-races{false}", common.races,
                   "do not look for races: the virtual device runs faster");
  command.add_flag("--strict-races", common.strict_races,
                   "threads that write the same value without order are findings, not notes");
  command.add_option("--json", common.json, "also write JSON Lines to this file")
      ->option_text("FILE");
  command.add_flag("-v,--verbose", common.verbose, "print each case line before its launch");
}

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

void add_check(CLI::App& command, CheckCommand& check) {
  command.add_option("target", check.targets, kTargets)->option_text("TARGET...");
  add_common(command, check.common);
  add_parsed(command, "--cases", check.cases, parse_integer<std::int64_t, 1>,
             "a number of cases from 1", "cases of each variant (100)")
      .option_text("N");
  add_parsed(command, "--time", check.budget_seconds, parse_duration, "a time such as 30s or 2m",
             "ends the campaign after this time: 30s, 2m")
      .option_text("TIME");
  add_parsed(command, "--seed", check.seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1", "the cases follow from it (0)")
      .option_text("S");
  add_parsed(command, "--max-size", check.max_size, parse_integer<std::int64_t, 1>, "a size from 1",
             "of m, n and k, where the contract allows it")
      .option_text("N");
  command.add_option("--property", check.properties, "ask this property only; may be repeated")
      ->option_text("P")
      ->allow_extra_args(false);
  command.add_flag("--keep", check.keep, "keep the smallest case of each finding as a regression");
  command
      .add_option(
          "--regressions", check.regressions,
          "the folder of regressions, which are asked first (regressions/ beside the .cu; of "
          "built-in variants: here)")
      ->option_text("FOLDER");
  add_history(command, check);
}

void add_replay(CLI::App& command, ReplayCommand& replay) {
  command.add_option("case", replay.what, "a case line, or a file of case lines")
      ->required()
      ->option_text("CASE|FILE");
  command.add_option("--in", replay.in, "the .cu file or folder that holds the variant")
      ->option_text("PATH");
  add_common(command, replay.common);
}

/// "256x128x64", m by n by k; "256" stands for all three.
std::optional<ProblemSize> parse_size(std::string_view text) {
  std::array<std::int64_t, 3> extents{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t end = text.find('x');
    const auto extent = parse_integer<std::int64_t, 1>(text.substr(0, end));
    if (!extent || count == extents.size()) return std::nullopt;
    extents[count] = *extent;
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
  if (count == 1) return ProblemSize{extents[0], extents[0], extents[0]};
  if (count == 3) return ProblemSize{extents[0], extents[1], extents[2]};
  return std::nullopt;
}

void add_profile(CLI::App& command, ProfileCommand& profile) {
  command.add_option("target", profile.target, "a variant, a glob, a .cu file or a folder")
      ->required()
      ->option_text("TARGET");
  auto* const line =
      command.add_option("--case", profile.line, "this case line")->option_text("CASE");
  auto* const size =
      add_parsed(command, "--size", profile.size, parse_size, "a size such as 256 or 256x128x64",
                 "m x n x k, or the nearest that the contract allows (128x128x128)")
          .option_text("MxNxK");
  add_parsed(command, "--cases", profile.cases, parse_integer<std::int64_t, 1>,
             "a number of cases from 1", "this many drawn cases instead, for coverage")
      .option_text("N")
      ->excludes(line)
      ->excludes(size);
  line->excludes(size);
  add_parsed(command, "--seed", profile.seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1", "the drawn cases follow from it (0)")
      .option_text("S");
  add_parsed(command, "--lines", profile.lines, parse_integer<std::size_t, 0>,
             "a number of lines from 0", "source lines that are printed, at most (20; 0: all)")
      .option_text("N");
  add_mma_arch(command, profile.mma_arch);
  add_parsed(command, "--jobs", profile.jobs, parse_integer<unsigned, 0, kMostJobs>,
             "a number of threads from 0 to 1024", "host threads (0: one per processor)")
      .option_text("N");
  command.add_option("--json", profile.json, "also write JSON Lines to this file")
      ->option_text("FILE");
}

void add_diff(CLI::App& command, DiffCommand& diff) {
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
  add_parsed(command, "--cases", diff.cases, parse_integer<std::int64_t, 1>,
             "a number of cases from 1", "cases in both domains (100)")
      .option_text("N");
  add_parsed(command, "--seed", diff.seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1", "the cases follow from it (0)")
      .option_text("S");
  add_parsed(command, "--size", diff.size, parse_size, "a size such as 256 or 256x128x64",
             "m x n x k of the problem that is timed on a GPU (1024x1024x1024)")
      .option_text("MxNxK");
  add_parsed(command, "--runs", diff.runs, parse_integer<unsigned, 1, kMostRuns>,
             "a number of runs from 1 to 10000", "runs that are timed on a GPU, of each (21)")
      .option_text("N");
  add_common(command, diff.common);
  command.footer(
      "Example: warpcheck diff --rev HEAD~1 mine.cu\n"
      "Exit status: 0 new passes and is about as accurate as old; 1 new has findings, or errs "
      "markedly\nmore than old, or (with --bits) bits of D differ; 2 and 3 as everywhere.");
}

/// "95" or "99.5", without its sign.
std::optional<double> parse_percent(std::string_view text) {
  double value = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !(value >= 0.0 && value <= 100.0)) return std::nullopt;
  return value;
}

void add_mutate(CLI::App& command, MutateCommand& mutate) {
  command.add_option("target", mutate.target, "a variant, a glob, a .cu file or a folder")
      ->required()
      ->option_text("TARGET");
  add_parsed(command, "--cases", mutate.cases, parse_integer<std::int64_t, 1>,
             "a number of cases from 1", "cases that a mutant must survive (500)")
      .option_text("N");
  add_parsed(command, "--mutants", mutate.mutants, parse_integer<std::size_t, 1>,
             "a number of mutants from 1",
             "mutants of each variant, at most; rare operators are taken first (200)")
      .option_text("N");
  add_parsed(command, "--seed", mutate.seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1",
             "the cases and the choice of mutants follow from it (0)")
      .option_text("S");
  command.add_option("--property", mutate.properties, "ask this property only; may be repeated")
      ->option_text("P")
      ->allow_extra_args(false);
  add_parsed(command, "--min-score", mutate.min_score, parse_percent, "a percentage from 0 to 100",
             "exit with 1 where fewer percent of the mutants that are not equivalent are killed")
      .option_text("PERCENT");
  add_parsed(command, "--jobs", mutate.jobs, parse_integer<unsigned, 0, kMostJobs>,
             "a number of threads from 0 to 1024", "host threads (0: one per processor)")
      .option_text("N");
  command.add_flag("--list", mutate.list, "name the mutants, and run none");
  command.add_option("--json", mutate.json, "also write JSON Lines to this file")
      ->option_text("FILE");
  command.footer(
      "Example: warpcheck mutate sgemm_tiled16 --min-score 95\n"
      "Exit status: 0 enough mutants were killed; 1 they were not; 2 and 3 as of check.");
}

void add_merge(CLI::App& command, MergeCommand& merge) {
  command
      .add_option("from", merge.from,
                  "histories of `check --history`, of its shards or others; or corpora of `fuzz`")
      ->required()
      ->option_text("FROM...");
  command.add_option("-o,--output", merge.to, "the history or the folder that they are added to")
      ->required()
      ->option_text("TO");
  command.add_option("--json", merge.common.json, "also write JSON Lines to this file")
      ->option_text("FILE");
  command.footer(
      "A campaign whose shards are all there becomes one, and is reported as check would.\n"
      "Example: warpcheck merge shard-1.db shard-2.db -o history.db");
}

void add_bisect(CLI::App& command, BisectCommand& bisect) {
  command.add_option("case", bisect.what, "a case line, or a file of case lines")
      ->required()
      ->option_text("CASE|FILE");
  CLI::Option* const good = command.add_option("--good", bisect.good, "a revision that passes");
  good->option_text("REVISION");
  CLI::Option* const bad =
      command.add_option("--bad", bisect.bad, "a later revision that fails (HEAD)");
  bad->option_text("REVISION");
  command
      .add_option("--in", bisect.in,
                  "the .cu file or folder that holds the variant, in this repository")
      ->option_text("PATH");
  command
      .add_flag("--step", bisect.step,
                "ask the files as they lie here, for a `git bisect run` of your own: exit status 0 "
                "where they pass, 1 where they fail, 125 where they cannot be asked")
      ->excludes(good)
      ->excludes(bad);
  add_common(command, bisect.common);
  command.footer(
      "Example: warpcheck bisect --good v1.2 --bad HEAD --in mine.cu 'mine m=65 n=33 k=17'\n"
      "Exit status: 0 the first bad commit was found; 1 it is one of several, as the others cannot "
      "be\nasked; 2 and 3 as everywhere.");
}

void add_fuzz(CLI::App& command, FuzzCommand& fuzz) {
  command.add_option("target", fuzz.targets, "variants, globs, .cu files or folders")
      ->required()
      ->option_text("TARGET...");
  add_common(command, fuzz.common);
  add_parsed(command, "--time", fuzz.budget_seconds, parse_duration, "a time such as 30s or 2m",
             "how long to search: 30s, 2m (60s, unless --cases is given)")
      .option_text("TIME");
  add_parsed(command, "--cases", fuzz.cases, parse_integer<std::int64_t, 1>,
             "a number of cases from 1", "ends a variant's search after this many cases")
      .option_text("N");
  add_parsed(command, "--seed", fuzz.seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1", "the search follows from it (0)")
      .option_text("S");
  command.add_option("--property", fuzz.properties, "ask this property only; may be repeated")
      ->option_text("P")
      ->allow_extra_args(false);
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

}  // namespace

Command parse_arguments(int argc, const char* const* argv) {
  ListCommand list;
  CheckCommand check;
  ReplayCommand replay;
  ProfileCommand profile;
  DiffCommand diff;
  MutateCommand mutate;
  MergeCommand merge;
  BisectCommand bisect;
  FuzzCommand fuzz;

  CLI::App app("Proves CUDA kernels right, with and without a GPU.", "warpcheck");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("warpcheck ") + WARPCHECK_VERSION);
  app.require_subcommand(1);

  CLI::App& list_app = *app.add_subcommand("list", "variants, contracts, devices");
  list_app.add_option("target", list.targets, kTargets)->option_text("TARGET...");
  CLI::App& check_app =
      *app.add_subcommand("check", "verify variants with cases drawn from a seed");
  add_check(check_app, check);
  CLI::App& replay_app =
      *app.add_subcommand("replay", "run one case line, with everything said about it");
  add_replay(replay_app, replay);
  CLI::App& profile_app = *app.add_subcommand(
      "profile", "what Nsight Compute users look for, counted on the virtual device");
  add_profile(profile_app, profile);
  CLI::App& diff_app =
      *app.add_subcommand("diff", "two variants, files or revisions on the same cases");
  add_diff(diff_app, diff);
  CLI::App& mutate_app =
      *app.add_subcommand("mutate", "planted defects in its PTX: how many does the campaign kill?");
  add_mutate(mutate_app, mutate);
  CLI::App& merge_app = *app.add_subcommand(
      "merge", "join the histories of shards or of several machines, or corpora");
  add_merge(merge_app, merge);
  CLI::App& bisect_app = *app.add_subcommand(
      "bisect", "the commit of a repository since which a case fails, by git bisect");
  add_bisect(bisect_app, bisect);
  CLI::App& fuzz_app = *app.add_subcommand(
      "fuzz", "search for failing cases, guided by what earlier ones made the kernel do");
  add_fuzz(fuzz_app, fuzz);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Leave{app.exit(error) == 0 ? kPassed : kInputError};
  }

  const std::string program = argc > 0 ? argv[0] : "warpcheck";
  check.common.program = replay.common.program = diff.common.program = program;
  merge.common.program = bisect.common.program = fuzz.common.program = program;
  if (check_app.parsed()) return check;
  if (replay_app.parsed()) return replay;
  if (profile_app.parsed()) return profile;
  if (diff_app.parsed()) return diff;
  if (mutate_app.parsed()) return mutate;
  if (merge_app.parsed()) return merge;
  if (bisect_app.parsed()) return bisect;
  if (fuzz_app.parsed()) return fuzz;
  return list;
}

}  // namespace warpcheck::cli
