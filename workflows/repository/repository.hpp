// The git repository of a user, read through git itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/child_process.hpp"

namespace warpcheck::workflows::repository {

class Repository {
 public:
  /// The repository that contains `folder`. Throws InputError if there is none, EnvironmentError if
  /// git is not installed.
  explicit Repository(const std::filesystem::path& folder);

  /// Its top folder, absolute.
  [[nodiscard]] const std::filesystem::path& top() const { return top_; }

  /// The hash of the commit that a revision names. Throws InputError.
  [[nodiscard]] std::string commit(const std::string& revision) const;

  /// A commit in one of the formats of `git log`, such as "%s" for its subject.
  [[nodiscard]] std::string describe(const std::string& commit, const std::string& format) const;

  /// The output of git, without the last line feed. Throws InputError with git's own message if it
  /// fails.
  [[nodiscard]] std::string git(const std::vector<std::string>& arguments) const;

 private:
  std::filesystem::path top_;
};

/// The command that runs git in `folder`, without hooks and without the variables of the
/// environment that name another checkout.
[[nodiscard]] std::vector<std::string> git_command(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& arguments);

/// Runs that command. The output ends without line feeds.
ChildResult run_git(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                    ChildOptions options = {});

}  // namespace warpcheck::workflows::repository
