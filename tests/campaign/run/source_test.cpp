#include "campaign/run/source.hpp"

#include <gtest/gtest.h>

#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

TEST(DefinitionLine, IsWhereTheNameFollowsGlobal) {
  EXPECT_EQ(definition("// sgemm\n__global__ void sgemm(float* c) {}\n", "sgemm").line, 2U);
}

TEST(DefinitionLine, SkipsCommentsCallsAndLongerNames) {
  const char* source =
      "/* __global__ void sgemm\n*/\n__device__ void sgemm_part();\n"
      "__global__ void sgemm_wide() { sgemm_part(); }\n"
      "template <int tile>\n__global__ void __launch_bounds__(256)\n    sgemm(float* c) {}\n";
  EXPECT_EQ(definition(source, "ns::sgemm<32>").line, 7U);
}

TEST(DefinitionLine, IsZeroWithoutADefinition) {
  EXPECT_EQ(definition("void sgemm() {}\n", "sgemm").line, 0U);
  EXPECT_EQ(definition("", "sgemm").line, 0U);
  EXPECT_EQ(definition("__global__ void sgemm", "").line, 0U);
}

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
