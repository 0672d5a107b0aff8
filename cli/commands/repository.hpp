// A user's git repository, read through git itself; commits are checked out beside it, so that his
// files, index, HEAD and bisect stay as they are.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/diagnostic.hpp"
#include "cli/commands/signals.hpp"
#include "properties/campaign/campaign.hpp"

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

/// Commits of a repository, each checked out in a temporary worktree; removed when this ends, also
/// where a signal ends the process. Hooks are not run.
class Worktrees {
 public:
  explicit Worktrees(const Repository& repository) : repository_(repository) {}
  Worktrees(const Worktrees&) = delete;
  Worktrees& operator=(const Worktrees&) = delete;
  ~Worktrees() { remove(); }

  /// The folder of a new one. Throws InputError, EnvironmentError.
  [[nodiscard]] std::filesystem::path add(const std::string& commit);

  /// Runs git in one of them; what git and its children say of errors goes where this process's
  /// errors go.
  [[nodiscard]] ChildResult git(const std::filesystem::path& worktree,
                                const std::vector<std::string>& arguments);

 private:
  void remove();

  const Repository& repository_;
  std::mutex mutex_;
  bool closed_ = false;
  std::vector<std::filesystem::path> folders_;  // each with the worktree `tree` in it
  std::atomic<int> child_ = 0;                  // the process group that works in one; 0: none
  CleanUpOnSignal on_signal_{[this] { remove(); }};
};

/// "REVISION:FILE", as git show spells it, where the file lies in the worktree that the revision is
/// checked out in; elsewhere the file itself.
[[nodiscard]] std::string named_by_revision(const std::string& file,
                                            const std::filesystem::path& worktree,
                                            const std::string& revision);

/// The same of all places that an error or a finding names.
[[nodiscard]] InputError named_by_revision(const InputError& error,
                                           const std::filesystem::path& worktree,
                                           const std::string& revision);
void name_by_revision(properties::campaign::FindingReport& report,
                      const std::filesystem::path& worktree, const std::string& revision);

}  // namespace warpcheck::cli
