#include "workflows/repository/revision.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/process/temporary_folder.hpp"
#include "workflows/repository/repository.hpp"

namespace warpcheck::workflows::repository {
namespace {

class Revision : public testing::Test {
 protected:
  Revision() {
    std::filesystem::create_directories(folder_ / "k");
    write("k/a.cu", "a");
    write("other.cu", "o");
    (void)git({"init", "--quiet"});
    (void)git({"add", "."});
    (void)git({"-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", "s"});
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  [[nodiscard]] std::string git(const std::vector<std::string>& arguments) const {
    return run_git(folder_, arguments).output;
  }

  [[nodiscard]] std::string of(const std::string& name) const {
    return revision_of(std::vector<std::string>{folder_ / name});
  }

  TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path();
};

TEST_F(Revision, IsTheCommitOfUnchangedFiles) {
  write("other.cu", "changed");
  EXPECT_EQ(of("k/a.cu"), git({"rev-parse", "HEAD"}).substr(0, 12));
}

TEST_F(Revision, MarksChangedAndUntrackedFiles) {
  write("k/a.cu", "b");
  write("k/new.cu", "n");
  const std::string changed = git({"rev-parse", "HEAD"}).substr(0, 12) + " with changes";
  EXPECT_EQ(of("k/a.cu"), changed);
  EXPECT_EQ(of("k/new.cu"), changed);
  EXPECT_EQ(of("k/missing.cu"), changed);
}

TEST_F(Revision, IsEmptyWithoutARepositoryOrCommit) {
  std::filesystem::remove_all(folder_ / ".git");
  EXPECT_EQ(of("k/a.cu"), "");
  (void)git({"init", "--quiet"});
  EXPECT_EQ(of("k/a.cu"), "");
}

/// A downloaded folder may contain a .git whose configuration names programs.
TEST_F(Revision, RunsNoProgramOfTheConfiguration) {
  const std::string program = "touch " + (folder_ / "ran").string();
  for (const char* key : {"core.fsmonitor", "core.pager", "filter.f.clean", "core.sshCommand"}) {
    (void)git({"config", key, program});
  }
  write(".gitattributes", "*.cu filter=f\n");
  write("k/a.cu", "b");
  EXPECT_NE(of("k/a.cu"), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
}

}  // namespace
}  // namespace warpcheck::workflows::repository
