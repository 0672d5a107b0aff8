#include "report/path.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

namespace warpcheck::report {
namespace {

TEST(ShownPath, IsRelativeInsideTheCurrentFolder) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(shown_path(here + "/kernels/x.cu"), "kernels/x.cu");
  EXPECT_EQ(shown_path(here + "/kernels/wrong/../x.cuh"), "kernels/x.cuh");
}

TEST(ShownPath, IsUnchangedOutsideTheCurrentFolder) {
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(shown_path(here.parent_path() / "x.cu"), (here.parent_path() / "x.cu").string());
  EXPECT_EQ(shown_path(here.string() + "x.cu"), here.string() + "x.cu");
  EXPECT_EQ(shown_path("kernels/x.cu"), "kernels/x.cu");
  EXPECT_EQ(shown_path("../x.cu"), "../x.cu");
  EXPECT_EQ(shown_path(""), "");
}

TEST(ShownPath, HasNoControlCharacters) {
  EXPECT_EQ(shown_path("e\x1b[31m\n\xe9.cu"), "e\\x1b[31m\\n\\xe9.cu");
  EXPECT_EQ(relative_path("e\x1b[31m.cu"), "e\x1b[31m.cu");
}

class PathInRepository : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "repo/.git");
    std::filesystem::create_directories(folder_ / "repo/kernels");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("warpcheck_path_" + std::to_string(getpid()));
};

TEST_F(PathInRepository, StartsAtTheFolderWithDotGit) {
  EXPECT_EQ(path_in_repository(folder_ / "repo/kernels/x.cu"), "kernels/x.cu");
  EXPECT_EQ(path_in_repository(folder_ / "repo/kernels/../x.cuh"), "x.cuh");
}

TEST_F(PathInRepository, IsAUriReference) {
  EXPECT_EQ(path_in_repository(folder_ / "repo/a b#1%.cu"), "a%20b%231%25.cu");
  EXPECT_EQ(file_uri("/tmp/a b.cu"), "file:///tmp/a%20b.cu");
  EXPECT_EQ(path_in_repository(folder_ / "repo/Zoë.cu"), "Zo%C3%AB.cu");
  EXPECT_EQ(path_in_repository(folder_ / "repo/a\"\x1b\n\xe9.cu"), "a%22%1B%0A%E9.cu");
}

TEST_F(PathInRepository, IsEmptyOutsideRepositoryAndFolder) {
  EXPECT_EQ(path_in_repository("/no/such/folder/x.cu"), std::nullopt);
}

}  // namespace
}  // namespace warpcheck::report
