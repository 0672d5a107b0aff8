#include "properties/generate/int32_overflow_strides.hpp"

#include <gtest/gtest.h>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/generate/cases.hpp"
#include "tests/properties/gemm_device.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using testing::blas_variant;

constexpr std::int64_t kInt = std::int64_t{1} << 31;

const Placement& placed(const Layouts& layouts, ArgumentWord word) {
  return word == ArgumentWord::lda ? layouts.a : word == ArgumentWord::ldb ? layouts.b : layouts.c;
}

/// How many of 50 seeds have a case; each is checked.
int found(const contract::Variant& variant, ArgumentWord word) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto problem = int32_overflow_strides(variant.contract, Solver(variant.contract), word,
                                                seed * 0x9E3779B97F4A7C15U);
    if (!problem) continue;
    ++count;
    EXPECT_EQ(violated(variant.contract, *problem), std::nullopt) << to_line(*problem);
    const Layouts layouts = lay_out(variant.contract, *problem, 1 << 30);
    const Placement& matrix = placed(layouts, word);
    EXPECT_TRUE(matrix.far) << to_line(*problem);
    EXPECT_LT(matrix.leading, kInt) << to_line(*problem);
    EXPECT_GE((matrix.lines() - 1) * matrix.leading + matrix.line_length(), kInt)
        << to_line(*problem);
    EXPECT_LE(matrix.extent().packed_bytes(), 1000U) << to_line(*problem);
    EXPECT_LE(matrix.extent().bytes(), device::kMostBufferBytes) << to_line(*problem);
  }
  return count;
}

TEST(Int32OverflowStrides, PassTwoToThe31AndFitAnInt) {
  const contract::Variant by_row = blas_variant();
  const contract::Variant by_column = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
layout = "col"
arguments = ["m", "n", "k", "a", "lda", "b", "ldb", "c", "ldc", "ta", "tb"]
block = [16]
grid = [1]
)t");
  for (const ArgumentWord word : {ArgumentWord::lda, ArgumentWord::ldb, ArgumentWord::ldc}) {
    EXPECT_EQ(found(by_row, word), 50);
    EXPECT_EQ(found(by_column, word), 50);
  }
}

TEST(Int32OverflowStrides, OfWideElementsFitABuffer) {
  const contract::Variant wide = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
types = { a = "f64", b = "f64", c = "f64", accumulate = "f64" }
arguments = ["m", "n", "k", "a", "lda", "b", "ldb", "c", "ldc"]
block = [16]
grid = [1]
)t");
  for (const ArgumentWord word : {ArgumentWord::lda, ArgumentWord::ldb, ArgumentWord::ldc}) {
    EXPECT_GT(found(wide, word), 25);
  }
}

TEST(Int32OverflowStrides, StayInTheDomain) {
  EXPECT_GT(found(blas_variant("requires = [\"lda % 4 == 0\", \"k % 8 == 0 and k > 0\"]\n"),
                  ArgumentWord::lda),
            25);
  EXPECT_EQ(found(blas_variant("requires = [\"lda <= 100000\"]\n"), ArgumentWord::lda), 0);
  EXPECT_EQ(found(blas_variant("requires = [\"lda <= 100000\"]\n"), ArgumentWord::ldb), 50);
}

TEST(Int32OverflowStrides, AreNotAskedWhereTheGridOrAWorkspaceGrowsWithThem) {
  const auto variant = [](const std::string& more) {
    return testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["m", "n", "k", "a", "b", "c", "ldc", "workspace"]
block = [256]
)t" + more);
  };
  const std::string small = "grid = [\"m * n\"]\nworkspace = { bytes = \"m * n\" }\n";
  const std::string grid = "grid = [\"m * ldc\"]\nworkspace = { bytes = \"m * n\" }\n";
  const std::string workspace = "grid = [1]\nworkspace = { bytes = \"m * ldc\" }\n";
  EXPECT_EQ(found(variant(small), ArgumentWord::ldc), 50);
  EXPECT_EQ(found(variant(grid), ArgumentWord::ldc), 0);
  EXPECT_EQ(found(variant(workspace), ArgumentWord::ldc), 0);
}

TEST(Int32OverflowStrides, AreNotAskedWhereAStrideWouldHaveToCountThem) {
  const contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["m", "n", "k", "a", "lda", "stride_a", "b", "ldb", "c", "d", "ldd", "batch"]
block = [16]
grid = [1]
)t");
  EXPECT_EQ(far_words(variant.contract),
            (std::vector<ArgumentWord>{ArgumentWord::ldb, ArgumentWord::ldd}));
}

TEST(Int32OverflowStrides, AreDrawnOncePerMatrixInEveryHundredCasesAndOnlyOnRequest) {
  const contract::Variant variant = blas_variant();
  const CaseGenerator generator(variant.contract, 1, true);
  const CaseGenerator ordinary(variant.contract, 1);
  std::array<int, 3> far{};
  for (std::int64_t i = 100; i < 300; ++i) {
    const Layouts layouts = lay_out(variant.contract, generator.draw(i).problem, 1 << 30);
    far[0] += layouts.a.far ? 1 : 0;
    far[1] += layouts.b.far ? 1 : 0;
    far[2] += layouts.c.far ? 1 : 0;
    EXPECT_FALSE(lay_out(variant.contract, ordinary.draw(i).problem, 1 << 30).any_far());
  }
  EXPECT_EQ(far, (std::array{2, 2, 2}));
}

}  // namespace
}  // namespace warpcheck::properties::generate
