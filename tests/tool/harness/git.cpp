#include "tests/tool/harness/git.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/process/child_process.hpp"

namespace warpcheck::tool {

GitRepository::GitRepository(const Scratch& scratch, const std::string& folder)
    : folder_(scratch.folder() / folder) {
  std::filesystem::create_directories(folder_);
  git({"init", "--quiet", "--initial-branch=main"});
  git({"config", "user.name", "Author of a test"});
  git({"config", "user.email", "author@example.org"});
  git({"config", "commit.gpgsign", "false"});
  write(".git/info/exclude", "/cache\n/stdout\n/stderr\n/*.json\n");
}

void GitRepository::write(const std::string& name, std::string_view text) const {
  std::filesystem::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string GitRepository::commit(const std::string& subject) const {
  git({"add", "--all"});
  git({"commit", "--quiet", "--allow-empty", "--message", subject});
  return git({"rev-parse", "HEAD"});
}

std::string GitRepository::git(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {"git", "-C", folder_.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ChildResult result = run_child(command);
  EXPECT_EQ(result.status, 0) << result.output;
  while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  return result.output;
}

}  // namespace warpcheck::tool
