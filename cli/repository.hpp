// A user's git repository, read through git itself; commits are checked out beside it, so that his
// files, index, HEAD and bisect stay as they are.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/contract/child_process.hpp"

namespace warpcheck::cli {

class Repository {
 public:
  /// The repository that `folder` lies in. Throws InputError where it lies in none,
  /// EnvironmentError where there is no git.
  explicit Repository(const std::filesystem::path& folder);

  /// Its top folder, absolute.
  [[nodiscard]] const std::filesystem::path& top() const { return top_; }

  /// The hash of the commit that a revision stands for. Throws InputError.
  [[nodiscard]] std::string commit(const std::string& revision) const;

  /// "subject, author, date" ... of a commit, in one of the formats of git log.
  [[nodiscard]] std::string describe(const std::string& commit, const std::string& format) const;

  /// What git prints, without the last line feed. Throws InputError with git's own words where it
  /// fails.
  [[nodiscard]] std::string git(const std::vector<std::string>& arguments) const;

 private:
  std::filesystem::path top_;
};

/// Commits of a repository, each checked out in a temporary worktree. Hooks are not run.
class Worktrees {
 public:
  explicit Worktrees(const Repository& repository) : repository_(repository) {}
  Worktrees(const Worktrees&) = delete;
  Worktrees& operator=(const Worktrees&) = delete;
  ~Worktrees() { remove(); }

  /// The folder of a new one. Throws InputError, EnvironmentError.
  [[nodiscard]] std::filesystem::path add(const std::string& commit);

  /// Ends a child that works in one and removes them all. Safe to call from another thread; none
  /// can be added afterwards.
  void remove();

  /// The process group of the child that works in one of them; 0: there is none.
  std::atomic<int> child = 0;

 private:
  const Repository& repository_;
  std::mutex mutex_;
  bool closed_ = false;
  std::vector<std::filesystem::path> folders_;  // each with the worktree `tree` in it
};

}  // namespace warpcheck::cli
