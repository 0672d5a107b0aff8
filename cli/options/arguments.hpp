// What the user asked for, and nothing of how it is done.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace warpcheck::cli {

enum class DeviceChoice { automatic, virtual_device, cuda };

/// What an option of reports takes for the standard output. What else is printed goes to the
/// standard error then.
inline constexpr const char* kStandardOutput = "-";

/// The options that check and replay share.
struct Common {
  DeviceChoice device = DeviceChoice::automatic;
  unsigned jobs = 0;          // host threads; 0: one per processor
  std::string json;           // file for JSON Lines; empty: none
  std::string junit;          // file for JUnit's XML; empty: none
  std::string sarif;          // file for SARIF; empty: none
  std::string html;           // file for a page; empty: none
  std::string markdown;       // file that GitHub's Markdown is added to; empty: none
  std::string lcov;           // file for a tracefile of LCOV; empty: none
  bool races = true;          // the virtual device looks for them
  unsigned mma_arch = 0;      // 80: the virtual device's tensor cores are sm_80's; 0: the kernel's
  bool strict_races = false;  // benign ones are findings too
  bool quiet = false;         // tell of what did not pass, and the sums
  bool verbose = false;       // print each case line before its launch
  std::string program;        // how the command was called, for the replay commands it prints
};

struct ListCommand {
  std::vector<std::string> targets;
};

/// "3/16"
struct ShardChoice {
  unsigned number = 1;
  unsigned of = 1;
};

/// In percent; 0: not demanded.
struct MinimumCoverageChoice {
  double lines = 0.0;
  double branches = 0.0;
};

struct CheckCommand {
  Common common;
  std::vector<std::string> targets;  // empty: the built-in variants
  std::int64_t cases = 100;
  double budget_seconds = 0.0;  // 0: none
  std::int64_t max_size = 0;    // 0: none
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // empty: all
  bool keep = false;                    // the cases that fail, as regressions
  std::string regressions;              // their folder; empty: see regressions.hpp
  ShardChoice shard;
  std::string history;  // a file; empty: none
  bool resume = false;  // the history's unfinished campaign
  bool fail_on_drift = false;
  MinimumCoverageChoice min_coverage;
};

struct ReplayCommand {
  Common common;
  std::string what;  // a case line, or a file of case lines
  std::string in;    // a .cu file or a folder that holds the variant; empty: see origins.hpp
};

struct ProblemSize {
  std::int64_t m = 128;
  std::int64_t n = 128;
  std::int64_t k = 128;
};

struct ProfileCommand {
  std::string target;
  std::string line;        // a case line; empty: the size decides
  ProblemSize size;        // or the nearest that the contract allows
  std::int64_t cases = 0;  // drawn cases instead; 0: one case
  std::uint64_t seed = 0;
  unsigned jobs = 0;       // host threads; 0: one per processor
  unsigned mma_arch = 0;   // as of Common
  std::size_t lines = 20;  // of the source, at most; 0: all
  std::string json;        // file for JSON Lines; empty: none
};

struct DiffCommand {
  Common common;
  std::vector<std::string> what;       // OLD and NEW; with revisions, one file
  std::vector<std::string> revisions;  // of that file: old and new; one: new is the file as it lies
  std::int64_t cases = 100;
  std::uint64_t seed = 0;
  bool bits = false;                      // bits that differ are a failure
  ProblemSize size = {1024, 1024, 1024};  // of the problem that is timed on a GPU
  unsigned runs = 21;                     // that are timed
};

struct MutateCommand {
  std::string target;
  std::int64_t cases = 500;
  std::size_t mutants = 200;
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // empty: all
  unsigned jobs = 0;                    // host threads; 0: one per processor
  double min_score = 0.0;               // percent
  bool list = false;                    // run nothing
  std::string json;                     // file for JSON Lines; empty: none
};

struct MergeCommand {
  Common common;  // of the report: json, program
  std::vector<std::string> from;
  std::string to;
};

struct BisectCommand {
  Common common;
  std::string good;  // revisions
  std::string bad = "HEAD";
  std::string what;   // a case line, or a file of case lines
  std::string in;     // a .cu file or a folder; empty: see origins.hpp
  bool step = false;  // asks the files as they lie here, for `git bisect run`
};

struct FuzzCommand {
  Common common;
  std::vector<std::string> targets;
  std::int64_t cases = 0;       // of each variant; 0: no limit
  double budget_seconds = 0.0;  // 0: a minute, where `cases` is no limit either
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // empty: all
  std::string corpus = ".warpcheck/fuzz";
  bool unguided = false;
  bool stop_at_first = false;
  bool minimise = false;
};

struct GateCommand {
  Common common;       // jobs, reports; the policy has the rest
  std::string policy;  // a file or its folder; empty: see policy_file.hpp
  std::string today;   // yyyy-mm-dd; empty: the clock's day
};

enum class Shell { bash, zsh, fish };

struct CompletionCommand {
  Shell shell = Shell::bash;
};

struct CompleteCommand {
  std::vector<std::string> words;  // after the program's name, the last one begun
};

struct ManCommand {
  std::string command;  // empty: the program
  std::string date;     // of the page, yyyy-mm-dd
  std::string all;      // a folder for all pages; empty: one page, on the standard output
};

/// What was wrong with the command line has been printed, or help was: leave with `status`.
struct Leave {
  int status = 0;
};

using Command = std::variant<Leave, ListCommand, CheckCommand, ReplayCommand, ProfileCommand,
                             DiffCommand, MutateCommand, MergeCommand, BisectCommand, FuzzCommand,
                             GateCommand, CompletionCommand, CompleteCommand, ManCommand>;

[[nodiscard]] Command parse_arguments(int argc, const char* const* argv);

}  // namespace warpcheck::cli
