// Finds the first commit of a repository at which a case fails, by `git bisect run`.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "workflows/bisect/bisection.hpp"
#include "workflows/bisect/step.hpp"

namespace warpcheck::workflows::bisect {

struct BisectOptions {
  std::string good;  // revisions
  std::string bad;
  std::string in;  // the .cu file or folder of the variant; empty: where it was last checked
  StepOptions step;
  /// The command that runs one step, for `git bisect run`; its exit status is that of
  /// git_bisect_status(). `path`: as in Bisection.
  std::function<std::vector<std::string>(const std::string& path)> step_command;
  /// Called after each of the two steps that this process runs itself, at good and bad.
  std::function<void(const Commit&, const Step&)> after_step;
};

/// Checks that `bad` fails and `good` passes, then bisects between them in a temporary worktree.
/// Throws InputError, EnvironmentError.
[[nodiscard]] Bisection bisect(const std::vector<targets::LocatedCase>& cases,
                               const BisectOptions& options);

/// The exit status by which a command that `git bisect run` calls reports its verdict: 0 good, 1
/// bad, 125 skip.
[[nodiscard]] int git_bisect_status(StepVerdict verdict);

/// The exit status that ends `git bisect run`.
inline constexpr int kAbortBisection = 255;

}  // namespace warpcheck::workflows::bisect
