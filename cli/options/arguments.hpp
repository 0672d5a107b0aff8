// The parsed command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "campaign/generate/constraints/size_limits.hpp"
#include "cli/help/completion_script.hpp"
#include "device/finding.hpp"
#include "device/limits.hpp"
#include "workflows/coverage/minimum_coverage.hpp"

namespace warpcheck::cli {

enum class DeviceChoice { automatic, virtual_device, cuda };

/// The file name that stands for the standard output. Messages then go to the standard error.
inline constexpr const char* kStandardOutput = "-";

/// Options of several commands.
struct Common {
  DeviceChoice device = DeviceChoice::automatic;
  unsigned jobs = 0;           // host threads; 0: one per processor
  std::string json;            // file for JSON Lines; empty: none
  std::string junit;           // file for JUnit XML; empty: none
  std::string sarif;           // file for SARIF; empty: none
  std::string gitlab;          // file for GitLab Code Quality; empty: none
  std::string html;            // file for an HTML page; empty: none
  std::string markdown;        // file to which GitHub Markdown is appended; empty: none
  std::string lcov;            // file for an LCOV tracefile; empty: none
  bool races = true;           // the virtual device detects races
  bool weak_volatile = false;  // volatile accesses race on the virtual device
  unsigned mma_arch = 0;       // 80: tensor cores of sm_80 on the virtual device; 0: the kernel's
  Strictness strict;           // notes that are findings
  device::Limits limits;       // limits of a launch on the virtual device
  campaign::generate::SizeLimits sizes;  // size limits of generated cases
  bool quiet = false;                    // prints only what did not pass, and the totals
  bool verbose = false;                  // prints each case line before its launch
  std::string program;                   // argv[0], for the replay commands in messages
  std::string command_line;              // the command line, as words for a shell
};

struct ListCommand {
  std::vector<std::string> targets;
};

/// "3/16"
struct ShardChoice {
  unsigned number = 1;
  unsigned of = 1;
};

struct CheckCommand {
  Common common;
  std::vector<std::string> targets;  // empty: the built-in variants
  std::int64_t cases = 100;
  double budget_seconds = 0.0;  // 0: none
  std::int64_t max_size = 0;    // 0: none
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // empty: all
  bool keep = false;                    // save failing cases as regressions
  std::string regressions;  // folder of the regressions; empty: see workflows/regressions
  ShardChoice shard;
  bool allow_empty = false;  // a shard without a case passes
  std::string history;       // history file; empty: none
  bool resume = false;       // continue the history's unfinished campaign
  bool fail_on_drift = false;
  workflows::coverage::MinimumCoverage min_coverage;
};

struct ReplayCommand {
  Common common;
  std::string line_or_file;  // a case line, or a file of case lines
  std::string in;            // the .cu file or folder of the variant; empty: see targets_of()
  std::string export_to;     // the folder of a program that runs the case; empty: none
};

struct ProblemSize {
  std::int64_t m = 128;
  std::int64_t n = 128;
  std::int64_t k = 128;
};

struct ExecCommand {
  std::vector<std::string> program;  // the program and its arguments
  std::string kernels = "*";         // glob for the kernels
  std::uint64_t skip = 0;            // launches that are skipped first
  std::uint64_t count = 0;           // launches that run; 0: all
  double launch_seconds = 0.0;       // limit of one launch; 0: none
  double seconds = 0.0;              // limit of the program; 0: none
  std::uint64_t seed = 0;
  unsigned schedules = 4;  // schedules of a launch whose result may depend on the order of threads
  std::string gpu = "h100";      // the model of the device
  unsigned multiprocessors = 0;  // 0: as many as the model has
  bool leaks = false;
  bool sticky_errors = false;  // findings of kernels are errors of the device
  bool track_origins = false;  // reports the origins of undefined values
  int error_status = 1;
  std::string suppressions;  // a file; empty: none
  std::string save;          // a file for the suppressions of all findings; empty: none
  Common common;             // threads, strictness, limits of a launch, and report options
};

struct ProfileCommand {
  std::string target;
  std::string line;        // a case line; empty: use `size`
  ProblemSize size;        // m x n x k, or the nearest size in the domain
  std::int64_t cases = 0;  // number of generated cases; 0: one case of `size`
  std::uint64_t seed = 0;
  unsigned jobs = 0;         // host threads; 0: one per processor
  unsigned mma_arch = 0;     // see Common
  std::size_t lines = 20;    // most source lines to print; 0: all
  std::string json;          // file for JSON Lines; empty: none
  std::string command_line;  // see Common
};

struct BenchCommand {
  std::vector<std::string> targets;  // empty: the built-in variants
  std::vector<ProblemSize> sizes;  // sizes, or the nearest ones in the domain; empty: the defaults
  DeviceChoice device = DeviceChoice::automatic;
  int rounds = 0;            // 0: the default
  unsigned mma_arch = 0;     // see Common
  std::string json;          // file for JSON Lines; empty: none
  std::string svg;           // file for a plot; empty: none
  std::string command_line;  // see Common
};

struct DiffCommand {
  Common common;
  std::vector<std::string> operands;   // OLD and NEW; with revisions, one file
  std::vector<std::string> revisions;  // old and new one; only one: new is the working tree
  std::int64_t cases = 100;
  std::uint64_t seed = 0;
  bool bits = false;                      // different bits are a failure
  ProblemSize size = {1024, 1024, 1024};  // size of the problem that is timed on a GPU
  unsigned runs = 21;                     // timed runs
};

struct MutateCommand {
  std::string target;
  std::int64_t cases = 500;
  std::size_t mutants = 200;
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // empty: all
  unsigned jobs = 0;                    // host threads; 0: one per processor
  double min_score = 0.0;               // percent
  bool list = false;                    // list the mutants without running them
  std::string json;                     // file for JSON Lines; empty: none
  std::string command_line;             // see Common
};

struct ExploreCommand {
  std::string target;
  bool write = false;            // write the condition to the contract
  std::int64_t max_size = 2048;  // limit of m, n and k
  std::uint64_t seed = 0;
  unsigned jobs = 0;         // host threads; 0: one per processor
  unsigned mma_arch = 0;     // see Common
  std::string json;          // file for JSON Lines; empty: none
  std::string command_line;  // see Common
};

struct MergeCommand {
  Common common;  // report options and program
  std::vector<std::string> from;
  std::string to;
};

struct SubmitCommand {
  Common common;                   // `program` alone is used
  std::vector<std::string> check;  // arguments of `check`
  std::string folder;              // folder of the campaign
  unsigned shards = 16;
  bool slurm = false;
  bool kubernetes = false;
  bool plain = false;   // writes the scripts alone: the default
  std::string image;    // image of containers, for Kubernetes
  std::string volume;   // "CLAIM:PATH", for Kubernetes
  bool resume = false;  // the campaign is in the folder already
};

struct BisectCommand {
  Common common;
  std::string good;  // revisions
  std::string bad = "HEAD";
  std::string line_or_file;  // a case line, or a file of case lines
  std::string in;            // a .cu file or a folder; empty: see targets_of()
  bool step = false;         // runs the working tree, for `git bisect run`
};

struct FuzzCommand {
  Common common;
  std::vector<std::string> targets;
  std::int64_t cases = 0;       // limit per variant; 0: none
  double budget_seconds = 0.0;  // 0: a minute, unless `cases` is a limit
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // empty: all
  std::string corpus = ".warpcheck/fuzz";
  bool unguided = false;
  bool stop_at_first = false;
  bool minimize = false;
};

struct GateCommand {
  Common common;       // jobs and reports; the policy sets the rest
  std::string policy;  // a file or its folder; empty: see workflows::gate::read_policy()
  std::string today;   // yyyy-mm-dd; empty: the current day
  ShardChoice shard;
  std::string history;                 // history of the shard; empty: not a shard
  std::vector<std::string> from = {};  // the histories of all shards; empty: run the cases
};

struct InitCommand {
  std::string file;
  bool write = false;     // writes to the .toml next to the file
  bool embed = false;     // writes into a comment of the file
  bool force = false;     // replaces an existing contract
  bool no_check = false;  // guesses only
  std::int64_t cases = 20;
  std::uint64_t seed = 0;
  unsigned jobs = 0;  // host threads; 0: one per processor
};

struct CompletionCommand {
  Shell shell = Shell::bash;
};

struct CompleteCommand {
  std::vector<std::string> words;  // the words after the program's name; the last one is incomplete
};

struct ManCommand {
  std::string command;  // name of the command; empty: the program
  std::string date;     // date of the page, yyyy-mm-dd
  std::string all;      // folder for all pages; empty: print one page
};

/// The program has printed its help or an error of the command line: exit with `status`.
struct Leave {
  int status = 0;
};

using Command =
    std::variant<Leave, ListCommand, CheckCommand, ReplayCommand, ExecCommand, ProfileCommand,
                 BenchCommand, DiffCommand, MutateCommand, ExploreCommand, MergeCommand,
                 SubmitCommand, BisectCommand, FuzzCommand, GateCommand, InitCommand,
                 CompletionCommand, CompleteCommand, ManCommand>;

[[nodiscard]] Command parse_arguments(int argc, const char* const* argv);

}  // namespace warpcheck::cli
