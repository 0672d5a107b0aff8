#include "campaign/run/source.hpp"

#include <gtest/gtest.h>

#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

TEST(Excerpt, ShowsTwoLinesOnEitherSide) {
  const contract::Variant variant = testing::plain_variant();
  const run::Excerpt found = excerpt(variant, {"kernel.cu", 7, "", 0});
  EXPECT_EQ(found.first_line, 5U);
  ASSERT_EQ(found.lines.size(), 4U);  // the file has eight
  EXPECT_EQ(found.lines[2], "  c[0] = 0;");
}

TEST(Excerpt, IsEmptyWithoutAPlace) {
  const contract::Variant variant = testing::plain_variant();
  EXPECT_TRUE(excerpt(variant, {"kernel.cu", 0, "", 0}).lines.empty());
  EXPECT_TRUE(excerpt(variant, {"kernel.cu", 90, "", 0}).lines.empty());
  EXPECT_TRUE(excerpt(variant, {"elsewhere.cuh", 3, "", 0}).lines.empty());
}

}  // namespace
}  // namespace warpcheck::campaign::run
