// A git repository in the scratch folder of a test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {

/// A subfolder of the scratch folder, or that folder itself, as a repository with its own author
/// and no commit. It ignores the files that the tool writes to the scratch folder.
class GitRepository {
 public:
  explicit GitRepository(const Scratch& scratch, const std::string& folder = "repo");

  /// Writes a file of the repository.
  void write(const std::string& name, std::string_view text) const;

  /// Commits all files and returns the hash.
  std::string commit(const std::string& subject) const;

  /// The output of git without the last line feed. Git must succeed.
  std::string git(const std::vector<std::string>& arguments) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace warpcheck::tool
