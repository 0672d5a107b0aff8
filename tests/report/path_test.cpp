#include "report/path.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace warpcheck::report {
namespace {

TEST(ShownPath, IsRelativeBelowTheCurrentFolder) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(shown_path(here + "/kernels/x.cu"), "kernels/x.cu");
  EXPECT_EQ(shown_path(here + "/kernels/wrong/../x.cuh"), "kernels/x.cuh");
}

TEST(ShownPath, IsAsItWasElsewhere) {
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(shown_path(here.parent_path() / "x.cu"), (here.parent_path() / "x.cu").string());
  EXPECT_EQ(shown_path(here.string() + "x.cu"), here.string() + "x.cu");
  EXPECT_EQ(shown_path("kernels/x.cu"), "kernels/x.cu");
  EXPECT_EQ(shown_path("../x.cu"), "../x.cu");
  EXPECT_EQ(shown_path(""), "");
}

}  // namespace
}  // namespace warpcheck::report
