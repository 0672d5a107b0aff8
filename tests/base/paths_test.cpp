#include "base/paths.hpp"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(PathBelow, IsRelativeToTheFolderOrEmpty) {
  EXPECT_EQ(path_below("/a/b", "/a/b/c/d.cu"), "c/d.cu");
  EXPECT_EQ(path_below("/a/b", "/a/x.cu"), "");
  EXPECT_EQ(path_below("/a/b", "/a/bc/d.cu"), "");
}

TEST(ShownPath, IsRelativeBelowTheCurrentFolder) {
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(shown_path((here / "a/b.cu").string()), "a/b.cu");
  EXPECT_EQ(shown_path((here / "a/../b.cu").string()), "b.cu");
}

TEST(ShownPath, OtherPathsAreUnchanged) {
  EXPECT_EQ(shown_path("a/../b.cu"), "a/../b.cu");
  EXPECT_EQ(shown_path("/no/such/folder/b.cu"), "/no/such/folder/b.cu");
}

}  // namespace
}  // namespace warpcheck
