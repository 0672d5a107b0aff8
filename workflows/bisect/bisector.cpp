#include "workflows/bisect/bisector.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "base/diagnostic.hpp"
#include "workflows/repository/repository.hpp"
#include "workflows/repository/revision_names.hpp"
#include "workflows/repository/worktrees.hpp"
#include "workflows/targets/origins.hpp"

namespace warpcheck::workflows::bisect {
namespace {

namespace fs = std::filesystem;

using campaign::FindingReport;
using targets::LocatedCase;

/// The file or folder of the kernel, in the user's own checkout.
fs::path kernel_path(const std::string& in, const LocatedCase& located) {
  if (!in.empty()) return fs::weakly_canonical(in);
  const std::string& variant = located.problem.variant;
  const auto origin = targets::origin_of(variant);
  if (origin) return *origin;
  throw InputError(
      Diagnostic{located.where,
                 fmt::format("no variant named {} was checked on this machine before: name its .cu "
                             "file or folder with --in",
                             variant),
                 {}});
}

/// "passes", "fails (REASON)" or "cannot run (REASON)"
std::string described(const Step& step) {
  switch (step.verdict) {
    case StepVerdict::good:
      return "passes";
    case StepVerdict::bad:
      return fmt::format("fails ({})", step.reason);
    case StepVerdict::skip:
      break;
  }
  return fmt::format("cannot run ({})", step.reason);
}

class Bisector {
 public:
  Bisector(const std::vector<LocatedCase>& cases, const BisectOptions& options)
      : cases_(cases),
        options_(options),
        kernel_(kernel_path(options.in, cases.front())),
        repository_(fs::is_directory(kernel_) ? kernel_ : kernel_.parent_path()),
        path_(kernel_.lexically_relative(fs::canonical(repository_.top())).string()),
        good_(repository_.commit(options.good)),
        bad_(repository_.commit(options.bad)) {}

  Bisection run() {
    tree_ = trees_.add(bad_);
    require(bad_, options_.bad, StepVerdict::bad, "fails");
    require(good_, options_.good, StepVerdict::good, "passes");
    (void)git({"bisect", "start", bad_, good_});
    std::vector<std::string> command = {"bisect", "run"};
    for (std::string& word : options_.step_command(path_)) command.push_back(std::move(word));
    const ChildResult result = trees_.git(tree_, command);
    Bisection bisection;
    bisection.path = path_;
    count_steps(bisection);
    const std::vector<std::string> candidates = first_bad_candidates();
    if (result.status != 0 && candidates.size() < 2) {
      throw request_error(fmt::format("git bisect run failed: {}", result.output));
    }
    for (const std::string& commit : candidates) bisection.bad.push_back(description_of(commit));
    if (candidates.size() == 1) bisection.findings = step_at(candidates.front()).findings;
    return bisection;
  }

 private:
  std::string git(const std::vector<std::string>& arguments) {
    const ChildResult result = trees_.git(tree_, arguments);
    if (result.status == 0) {
      return result.output.substr(0, result.output.find_last_not_of('\n') + 1);
    }
    throw request_error(fmt::format("git {} failed: {}", arguments.front(), result.output));
  }

  Step step_at(const std::string& commit) {
    (void)git({"checkout", "--quiet", "--force", "--detach", commit});
    Step step = run_step(cases_, (tree_ / path_).string(), options_.step);
    const std::string folder = tree_.string() + "/";
    if (const auto at = step.reason.find(folder); at != std::string::npos) {
      step.reason.erase(at, folder.size());
    }
    for (FindingReport& finding : step.findings) {
      repository::name_by_revision(finding, tree_, Commit{commit, "", "", ""}.short_hash());
    }
    return step;
  }

  void require(const std::string& commit, const std::string& revision, StepVerdict verdict,
               const char* expected) {
    const Step step = step_at(commit);
    options_.after_step(description_of(commit), step);
    if (step.verdict == verdict) return;
    if (step.unsupported) {
      throw EnvironmentError(fmt::format("{} {}", revision, described(step)));
    }
    throw request_error(
        fmt::format("{} {}: expected a revision that {}", revision, described(step), expected));
  }

  /// Counts the lines "git bisect good HASH" of git's own log, one for each commit that was tried.
  void count_steps(Bisection& bisection) {
    std::istringstream log(git({"bisect", "log"}));
    for (std::string line; std::getline(log, line);) {
      const bool skipped = line.starts_with("git bisect skip ");
      const bool tried =
          line.starts_with("git bisect good ") || line.starts_with("git bisect bad ");
      bisection.skipped += skipped ? 1 : 0;
      bisection.steps += skipped || tried ? 1 : 0;
    }
  }

  /// The commits one of which is the first bad one: ancestors of the earliest bad commit that are
  /// not ancestors of a good commit.
  std::vector<std::string> first_bad_candidates() {
    std::vector<std::string> command = {"rev-list", "refs/bisect/bad", "--not"};
    std::istringstream good(git({"for-each-ref", "--format=%(objectname)", "refs/bisect/good-*"}));
    for (std::string line; std::getline(good, line);) command.push_back(line);
    std::istringstream lines(git(command));
    std::vector<std::string> commits;
    for (std::string line; std::getline(lines, line);) commits.push_back(line);
    return commits;
  }

  [[nodiscard]] Commit description_of(const std::string& commit) const {
    std::istringstream lines(repository_.describe(commit, "%s%n%an <%ae>%n%ad"));
    Commit result;
    result.hash = commit;
    std::getline(lines, result.subject);
    std::getline(lines, result.author);
    std::getline(lines, result.date);
    return result;
  }

  const std::vector<LocatedCase>& cases_;
  const BisectOptions& options_;
  fs::path kernel_;
  repository::Repository repository_;
  std::string path_;  // path of the kernel, relative to the top of the repository
  std::string good_;
  std::string bad_;
  repository::Worktrees trees_{repository_};
  fs::path tree_;
};

}  // namespace

Bisection bisect(const std::vector<LocatedCase>& cases, const BisectOptions& options) {
  return Bisector(cases, options).run();
}

int git_bisect_status(StepVerdict verdict) {
  switch (verdict) {
    case StepVerdict::good:
      return 0;
    case StepVerdict::bad:
      return 1;
    case StepVerdict::skip:
      break;
  }
  return 125;
}

}  // namespace warpcheck::workflows::bisect
