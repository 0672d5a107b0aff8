// A git repository that a test makes in its scratch folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tool/tool.hpp"

namespace warpcheck::tool {

/// "repo" in the scratch folder, with an author of its own and no commit.
class GitRepository {
 public:
  explicit GitRepository(const Scratch& scratch);

  /// Writes a file of the repository.
  void write(const std::string& name, std::string_view text) const;

  /// Commits everything; gives the hash.
  std::string commit(const std::string& subject) const;

  /// What git prints, without the last line feed; it must succeed.
  std::string git(const std::vector<std::string>& arguments) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace warpcheck::tool
