// Commits of a repository, checked out in temporary worktrees: the user's files, index, HEAD and
// bisection do not change.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/process/child_process.hpp"
#include "base/process/temporary_folder.hpp"
#include "workflows/repository/repository.hpp"

namespace warpcheck::workflows::repository {

/// The destructor removes the worktrees, also after an interruption. Git runs no hooks.
class Worktrees {
 public:
  explicit Worktrees(const Repository& repository) : repository_(repository) {}
  Worktrees(const Worktrees&) = delete;
  Worktrees& operator=(const Worktrees&) = delete;
  ~Worktrees();

  /// Checks a commit out and returns the folder. Throws InputError, EnvironmentError.
  [[nodiscard]] std::filesystem::path add(const std::string& commit);

  /// Runs git in a worktree. Git and its children share the standard error of this process.
  [[nodiscard]] ChildResult git(const std::filesystem::path& worktree,
                                const std::vector<std::string>& arguments) const;

 private:
  const Repository& repository_;
  std::vector<std::unique_ptr<TemporaryFolder>> folders_;  // each contains its worktree as `tree`
};

}  // namespace warpcheck::workflows::repository
