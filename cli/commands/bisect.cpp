#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands/bisect_step.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/origins.hpp"
#include "cli/commands/reports.hpp"
#include "cli/commands/repository.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/options/shell.hpp"
#include "report/console/bisection_text.hpp"
#include "report/json/bisection_json.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

InputError bisect_error(std::string message) {
  return InputError(Diagnostic{{}, std::move(message), {}});
}

/// The file or folder of the kernel, in the user's own checkout.
fs::path place_of(const BisectCommand& command, const std::vector<LocatedCase>& cases) {
  if (!command.in.empty()) return fs::weakly_canonical(command.in);
  const auto origin = origin_of(cases.front().problem.variant);
  if (origin) return *origin;
  throw InputError(Diagnostic{
      cases.front().where,
      fmt::format("no variant called {} was checked here before; name its .cu file or folder with "
                  "--in",
                  cases.front().problem.variant),
      {}});
}

std::string short_name(const std::string& commit) { return commit.substr(0, 10); }

/// A line for each commit that is asked, where the user may watch it.
void tell(const std::string& commit, const std::string& subject, const Step& step) {
  const char* const verdict = step.verdict == kGood  ? "passes"
                              : step.verdict == kBad ? "fails"
                                                     : "cannot be asked";
  std::cerr << fmt::format("{} {}{}{}  ({})\n", short_name(commit), verdict,
                           step.reason.empty() ? "" : ": ", step.reason, subject)
            << std::flush;
}

/// A bisection in a worktree of its own.
class Bisector {
 public:
  Bisector(const BisectCommand& command, std::vector<LocatedCase> cases)
      : command_(command),
        cases_(std::move(cases)),
        place_(place_of(command, cases_)),
        repository_(fs::is_directory(place_) ? place_ : place_.parent_path()),
        within_(place_.lexically_relative(fs::canonical(repository_.top()))),
        good_(repository_.commit(command.good)),
        bad_(repository_.commit(command.bad)) {}

  report::Bisection run() {
    tree_ = trees_.add(bad_);
    require(bad_, command_.bad, kBad, "fails");
    require(good_, command_.good, kGood, "passes");
    (void)git({"bisect", "start", bad_, good_});
    const ChildResult ran = trees_.git(tree_, run_command());
    report::Bisection bisection;
    count(bisection);
    const std::vector<std::string> left = candidates();
    if (ran.status != 0 && left.size() < 2) {
      throw bisect_error(fmt::format("git bisect run failed: {}", ran.output));
    }
    for (const std::string& commit : left) bisection.bad.push_back(described(commit));
    if (left.size() == 1) {
      bisection.findings = findings_at(left.front());
      bisection.diff_command = diff_command(left.front());
    }
    return bisection;
  }

 private:
  std::string git(const std::vector<std::string>& arguments) {
    const ChildResult result = trees_.git(tree_, arguments);
    if (result.status == 0)
      return result.output.substr(0, result.output.find_last_not_of('\n') + 1);
    throw bisect_error(fmt::format("git {} failed: {}", arguments.front(), result.output));
  }

  Step step_at(const std::string& commit) {
    (void)git({"checkout", "--quiet", "--force", "--detach", commit});
    Step step = ask_here(command_.common, cases_, (tree_ / within_).string());
    const std::string folder = tree_.string() + "/";
    if (const auto at = step.reason.find(folder); at != std::string::npos) {
      step.reason.erase(at, folder.size());
    }
    for (properties::campaign::FindingReport& finding : step.findings) {
      name_by_revision(finding, tree_, short_name(commit));
    }
    return step;
  }

  void require(const std::string& commit, const std::string& revision, int verdict,
               const char* wanted) {
    const Step step = step_at(commit);
    tell(commit, described(commit).subject, step);
    if (step.verdict == verdict) return;
    throw bisect_error(fmt::format("{} {}: expected one that {}", revision,
                                   step.verdict == kSkip
                                       ? fmt::format("cannot be asked: {}", step.reason)
                                   : step.verdict == kBad ? fmt::format("fails: {}", step.reason)
                                                          : std::string("passes"),
                                   wanted));
  }

  /// This program, as `git bisect run` calls it.
  [[nodiscard]] std::vector<std::string> run_command() const {
    std::vector<std::string> words = {
        "bisect", "run",           fs::read_symlink("/proc/self/exe").string(), "bisect", "--step",
        "--in",   within_.string()};
    for (const std::string& word : device_options(command_.common)) words.push_back(word);
    if (command_.common.jobs != 0) {
      words.emplace_back("--jobs");
      words.push_back(fmt::format("{}", command_.common.jobs));
    }
    std::error_code ignored;  // a case line may be too long for the name of a file
    const bool file = fs::is_regular_file(command_.what, ignored);
    words.push_back(file ? fs::absolute(command_.what).string() : command_.what);
    return words;
  }

  /// From git's own log: a line "git bisect good HASH" for each commit that was asked.
  void count(report::Bisection& bisection) {
    std::istringstream log(git({"bisect", "log"}));
    for (std::string line; std::getline(log, line);) {
      const bool skipped = line.starts_with("git bisect skip ");
      bisection.skipped += skipped ? 1 : 0;
      bisection.steps +=
          skipped || line.starts_with("git bisect good ") || line.starts_with("git bisect bad ")
              ? 1
              : 0;
    }
  }

  /// The commits that may be the first bad one: those that lead to the earliest that is known to be
  /// bad and to none that is known to be good.
  std::vector<std::string> candidates() {
    std::vector<std::string> command = {"rev-list", "refs/bisect/bad", "--not"};
    std::istringstream good(git({"for-each-ref", "--format=%(objectname)", "refs/bisect/good-*"}));
    for (std::string line; std::getline(good, line);) command.push_back(line);
    std::istringstream lines(git(command));
    std::vector<std::string> commits;
    for (std::string line; std::getline(lines, line);) commits.push_back(line);
    return commits;
  }

  [[nodiscard]] report::Commit described(const std::string& commit) const {
    const std::string text = repository_.describe(commit, "%s%n%an <%ae>%n%ad");
    std::istringstream lines(text);
    report::Commit result;
    result.hash = commit;
    std::getline(lines, result.subject);
    std::getline(lines, result.author);
    std::getline(lines, result.date);
    return result;
  }

  std::vector<properties::campaign::FindingReport> findings_at(const std::string& commit) {
    return step_at(commit).findings;
  }

  [[nodiscard]] std::string diff_command(const std::string& commit) const {
    const std::string name = short_name(commit);
    return fmt::format("{} diff {} {}", command_.common.program,
                       shell_word(fmt::format("{}^:{}", name, within_.string())),
                       shell_word(fmt::format("{}:{}", name, within_.string())));
  }

  const BisectCommand& command_;
  std::vector<LocatedCase> cases_;
  fs::path place_;
  Repository repository_;
  fs::path within_;  // the place, from the top of the repository
  std::string good_;
  std::string bad_;
  Worktrees trees_{repository_};
  fs::path tree_;
};

int step(const BisectCommand& command) {
  try {
    const Repository repository(".");
    const std::vector<LocatedCase> cases = read_cases(command.what);
    const Step step = ask_here(command.common, cases, command.in);
    const std::string commit = repository.commit("HEAD");
    tell(commit, repository.describe(commit, "%s"), step);
    return step.verdict;
  } catch (const std::exception& error) {
    std::cerr << "warpcheck: " << error.what() << '\n';
    return kAbort;
  }
}

}  // namespace

int run(const BisectCommand& command) {
  if (command.step) return step(command);
  if (command.good.empty())
    throw bisect_error("--good is missing: expected a revision that passes");
  JsonOutput json(command.common.json);
  const report::Bisection bisection = Bisector(command, read_cases(command.what)).run();
  json.console() << report::bisection_text(bisection,
                                           report::Paint(on_a_colour_terminal(command.common)))
                 << std::flush;
  json.write(report::bisection_json(bisection) + "\n");
  return bisection.bad.size() == 1 ? kPassed : kFindings;
}

}  // namespace warpcheck::cli
