// Commits of a repository, checked out in temporary worktrees: the user's files, index, HEAD and
// bisection do not change.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "workflows/repository/clean_up_on_signal.hpp"
#include "workflows/repository/repository.hpp"

namespace warpcheck::workflows::repository {

/// The destructor removes the worktrees, as does a signal that ends the process. Git runs no hooks.
class Worktrees {
 public:
  explicit Worktrees(const Repository& repository) : repository_(repository) {}
  Worktrees(const Worktrees&) = delete;
  Worktrees& operator=(const Worktrees&) = delete;
  ~Worktrees() { remove(); }

  /// Checks a commit out and returns the folder. Throws InputError, EnvironmentError.
  [[nodiscard]] std::filesystem::path add(const std::string& commit);

  /// Runs git in a worktree. Git and its children share the standard error of this process.
  [[nodiscard]] ChildResult git(const std::filesystem::path& worktree,
                                const std::vector<std::string>& arguments);

 private:
  void remove();

  const Repository& repository_;
  std::mutex mutex_;
  bool closed_ = false;
  std::vector<std::filesystem::path> folders_;  // each contains its worktree as `tree`
  std::atomic<int> child_ = 0;                  // the process group that runs in one; 0: none
  CleanUpOnSignal on_signal_{[this] { remove(); }};
};

}  // namespace warpcheck::workflows::repository
