// A git repository that a test makes in its scratch folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tool/tool.hpp"

namespace warpcheck::tool {

/// A folder in the scratch folder, or that itself, with an author of its own and no commit; what
/// the tool leaves in the scratch folder does not belong to it.
class GitRepository {
 public:
  explicit GitRepository(const Scratch& scratch, const std::string& folder = "repo");

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
