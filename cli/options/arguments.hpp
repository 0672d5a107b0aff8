// The parsed command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cli/help/completion_script.hpp"
#include "proof/proof.hpp"
#include "runtime/events/options.hpp"
#include "workflows/settings/settings.hpp"

namespace warpcheck::cli {

/// The file name that stands for the standard output. Messages then go to the standard error.
inline constexpr const char* kStandardOutput = "-";

/// The options of the table, and the command line.
struct Common : workflows::settings::Settings {
  std::string program;       // argv[0], for the replay commands in messages
  std::string command_line;  // the command line, as words for a shell
};

struct ListCommand {
  std::vector<std::string> targets;
};

struct CheckCommand {
  Common common;
  std::vector<std::string> targets;  // empty: the built-in variants
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
  Common common;                     // threads, strictness, limits of a launch, and report options
  std::vector<std::string> program;  // the program and its arguments
  runtime::ExecOptions options;      // the launches and the device, except for `common`
  int error_status = 1;
  std::string suppressions;  // a file; empty: none
  std::string save;          // a file for the suppressions of all findings; empty: none
};

struct ProfileCommand {
  Common common;
  std::string target;
  std::string line;        // a case line; empty: use `size`
  ProblemSize size;        // m x n x k, or the nearest size in the domain
  std::size_t lines = 20;  // most source lines to print; 0: all
};

struct ProveCommand {
  Common common;
  std::vector<std::string> targets;  // empty: the built-in variants
  proof::ProveOptions options;
  bool search_conditions = true;
};

struct BenchCommand {
  Common common;
  std::vector<std::string> targets;  // empty: the built-in variants
  std::vector<ProblemSize> sizes;  // sizes, or the nearest ones in the domain; empty: the defaults
  std::string line;                // the case; empty: from the sizes
  int rounds = 0;                  // 0: the default
  std::string svg;                 // file for a plot; empty: none
};

struct DiffCommand {
  Common common;
  std::vector<std::string> operands;      // OLD and NEW; with revisions, one file
  std::vector<std::string> revisions;     // old and new one; only one: new is the working tree
  bool bits = false;                      // different bits are a failure
  ProblemSize size = {1024, 1024, 1024};  // size of the problem that is timed on a GPU
  unsigned runs = 21;                     // timed runs
};

struct MutateCommand {
  Common common;
  std::string target;
  std::size_t mutants = 200;
  double min_score = 0.0;  // percent
  bool list = false;       // list the mutants without running them
};

struct ExploreCommand {
  Common common;
  std::string target;
  bool write = false;            // write the condition to the contract
  std::int64_t max_size = 2048;  // limit of m, n and k
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
  std::string corpus = ".warpcheck/fuzz";
  bool unguided = false;
  bool stop_at_first = false;
  bool minimize = false;
};

struct GateCommand {
  Common common;       // jobs and reports; the policy sets the rest
  std::string policy;  // a file or its folder; empty: see workflows::gate::read_policy()
  std::string today;   // yyyy-mm-dd; empty: the current day
  std::vector<std::string> from = {};  // the histories of all shards; empty: run the cases
};

struct InitCommand {
  Common common;
  std::string file;
  bool write = false;     // writes to the .toml next to the file
  bool embed = false;     // writes into a comment of the file
  bool force = false;     // replaces an existing contract
  bool no_check = false;  // guesses only
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
                 ProveCommand, BenchCommand, DiffCommand, MutateCommand, ExploreCommand,
                 MergeCommand, SubmitCommand, BisectCommand, FuzzCommand, GateCommand, InitCommand,
                 CompletionCommand, CompleteCommand, ManCommand>;

[[nodiscard]] Command parse_arguments(int argc, const char* const* argv);

}  // namespace warpcheck::cli
