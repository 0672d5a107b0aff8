#include "campaign/generate/grid_limits.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/constraints/domain_rules.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::generate {
namespace {

/// Returns a variant with a launch of this grid and further lines of the contract.
contract::Variant variant_with(const std::string& grid, const std::string& more = "") {
  return testing::variant_of(fmt::format(R"t([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
arguments = ["m", "n", "k", "a", "b", "c", "batch", "stride_a", "stride_b", "stride_c"]
block = [16, 16]
grid = [{}]
{})t",
                                         grid, more));
}

std::string beyond(const contract::Variant& variant) {
  std::string lines;
  const Solver solver(variant.contract);
  for (const Case& problem : beyond_grid_limits(variant.contract, solver)) {
    EXPECT_EQ(violated(variant.contract, problem), std::nullopt) << to_line(problem);
    lines += fmt::format("m={} n={} k={} batch={}\n", problem.whole("m"), problem.whole("n"),
                         problem.whole("k"), problem.whole("batch"));
  }
  return lines;
}

constexpr const char* kTiles = R"t("ceil_div(n, 16)", "ceil_div(m, 16)", "batch")t";

TEST(GridLimits, LeastExtentExceedsTheLimit) {
  EXPECT_EQ(beyond(variant_with(kTiles)),
            "m=1048561 n=1 k=0 batch=1\n"  // 16 * 65535 + 1
            "m=1 n=1 k=0 batch=65536\n");
  EXPECT_EQ(beyond(variant_with(R"(1, "n")")), "m=1 n=65536 k=0 batch=1\n");
}

TEST(GridLimits, NoCaseAlongXOrForSmallGrids) {
  EXPECT_EQ(beyond(variant_with(R"("m * n * batch")")), "");
  EXPECT_EQ(beyond(variant_with(R"t(1, "min(ceil_div(m, 16), 64)", 4)t")), "");
}

TEST(GridStrideCases, ExtentIsFiveTimesTheEndOfGrowth) {
  const auto grid_stride = [](const std::string& grid, const std::string& more = "") {
    const contract::Variant variant = variant_with(grid, more);
    std::string lines;
    for (const Case& problem : grid_stride_cases(variant.contract, Solver(variant.contract))) {
      EXPECT_EQ(violated(variant.contract, problem), std::nullopt) << to_line(problem);
      lines += fmt::format("m={} n={} k={}\n", problem.whole("m"), problem.whole("n"),
                           problem.whole("k"));
    }
    return lines;
  };
  // 63 blocks end at row 1008.
  EXPECT_EQ(grid_stride(R"t("ceil_div(n, 16)", "min(ceil_div(m, 16), 64)")t"),
            "m=5045 n=1 k=0\nm=5045 n=1 k=1\n");
  EXPECT_EQ(grid_stride(kTiles), "");
  EXPECT_EQ(grid_stride("8, 4"), "");
  EXPECT_EQ(grid_stride(R"t("min(ceil_div(n, 16), 8)")t", "requires = [\"n <= 300\"]\n"), "");
}

TEST(GridLimits, NoCaseOutsideTheDomain) {
  EXPECT_EQ(beyond(variant_with(kTiles, "requires = [\"m <= 1048560\", \"batch <= 65535\"]\n")),
            "");
  EXPECT_EQ(beyond(variant_with(kTiles, "requires = [\"m <= 4096 and batch * m < 70000\"]\n")),
            "m=1 n=1 k=0 batch=65536\n");
}

TEST(GridLimits, ExtentIsInTheDomain) {
  EXPECT_EQ(beyond(variant_with(R"(1, "m / 32")", "requires = [\"m % 32 == 0\"]\n")),
            "m=2097152 n=1 k=0 batch=1\n");
  EXPECT_EQ(beyond(variant_with(R"(1, "m")", "requires = [\"n % 32 == 0\"]\n")),
            "m=65536 n=32 k=0 batch=1\n");
}

TEST(GridLimits, NoCaseWithLargeMatrices) {
  EXPECT_EQ(beyond(variant_with(R"(1, "m")", "requires = [\"k >= 1000\"]\n")), "");
  EXPECT_EQ(beyond(variant_with(R"(1, "m / 1024")")), "");
}

/// Two launches, of which the second exceeds its limit.
std::string beyond_in_second_launch(const std::string& first_grid) {
  return beyond(testing::variant_of(fmt::format(R"t([[variant]]
name = "fake"
operation = "gemm"
[[variant.launch]]
kernel = "gemm"
arguments = ["m", "n", "k", "a", "b", "c"]
block = [16]
grid = [{}]
[[variant.launch]]
kernel = "gemm"
arguments = ["m", "n", "k", "a", "b", "c"]
block = [16]
grid = [1, "m"]
)t",
                                                first_grid)));
}

TEST(GridLimits, LaterLaunchMayExceedIfEarlierAreSmall) {
  EXPECT_EQ(beyond_in_second_launch(R"t("ceil_div(m, 64)")t"), "m=65536 n=1 k=0 batch=1\n");
  EXPECT_EQ(beyond_in_second_launch(R"("m")"), "");
}

std::string missing(const contract::Variant& variant) {
  std::string lines;
  for (const MissingLimit& limit : missing_limits(variant.contract)) {
    EXPECT_EQ(violated(variant.contract, limit.problem), std::nullopt) << to_line(limit.problem);
    lines += fmt::format("{}: {} blocks\n", limit.requires_, limit.blocks);
  }
  return lines;
}

TEST(MissingLimits, ConditionKeepsTheAxisWithinItsLimit) {
  EXPECT_EQ(missing(variant_with(kTiles)),
            "m <= 1048560: 65536 blocks\nbatch <= 65535: 65536 blocks\n");
  EXPECT_EQ(missing(variant_with(kTiles, "requires = [\"m <= 1048560\", \"batch <= 65535\"]\n")),
            "");
  EXPECT_EQ(missing(variant_with(R"t(1, "ceil_div(m, 16) * batch")t")),
            "ceil_div(m, 16) * batch <= 65535: 65536 blocks\n"
            "ceil_div(m, 16) * batch <= 65535: 65536 blocks\n");
}

TEST(MissingLimits, DeclaredSizesAreNotMissing) {
  EXPECT_EQ(missing(variant_with(kTiles, "requires = [\"m <= 4000000\", \"batch <= 70000\"]\n")),
            "");
  EXPECT_EQ(missing(variant_with(R"(1, "m")", "requires = [\"m >= 70000\"]\n")), "");
  EXPECT_EQ(missing(variant_with(R"(1, "m")", "requires = [\"m >= 60000\"]\n")),
            "m <= 65535: 65536 blocks\n");
}

TEST(DomainRules, GridsBeyondTheLimitAreNotGenerated) {
  const contract::Variant variant = variant_with(kTiles);
  const CaseGenerator generator(variant.contract, {.seed = 1});
  SizeLimits any_grid;
  any_grid.strict_launch = true;
  const CaseGenerator strict(variant.contract, {.seed = 1, .sizes = any_grid});
  int beyond = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    const Case generated = generator.draw(i).problem;
    EXPECT_LE(generated.whole("m"), 1048560);
    EXPECT_LE(generated.whole("batch"), 65535);
    const Case any = strict.draw(i).problem;
    beyond += any.whole("m") > 1048560 || any.whole("batch") > 65535 ? 1 : 0;
  }
  EXPECT_EQ(beyond, 4);
}

/// Returns the error about a contract for which no case can be generated.
std::string error_of(const contract::Variant& variant, const SizeLimits& limits = {}) {
  try {
    const CaseGenerator generator(variant.contract, {.seed = 1, .sizes = limits});
    (void)generator.draw(0);
  } catch (const InputError& error) {
    return error.diagnostics().front().message;
  }
  return "";
}

TEST(DomainRules, SizesThatNoCaseMayHaveAreAnError) {
  SizeLimits small;
  small.work = 2000;
  EXPECT_THAT(
      error_of(variant_with(kTiles, "requires = [\"m >= 100000000\"]\n")),
      ::testing::StartsWith("fake: no case satisfies m >= 100000000, because A, B and C of a "
                            "generated case have at most 16777216 elements"));
  EXPECT_EQ(error_of(variant_with(kTiles, "requires = [\"m >= 1000000\"]\n")), "");
  EXPECT_THAT(error_of(variant_with(R"t("n * 1000000000", "ceil_div(m, 16)")t")),
              ::testing::HasSubstr("has at most 1048576 blocks (`--limit blocks=N`"));
  EXPECT_EQ(error_of(variant_with(R"t("n * 1000", "ceil_div(m, 16)")t")), "");
  EXPECT_THAT(error_of(variant_with(kTiles, "requires = [\"k >= 3000\"]\n"), small),
              ::testing::HasSubstr("at most 2000 multiply-adds"));
}

TEST(GridLimits, OneCasePerLimitInHundredCases) {
  const contract::Variant variant =
      variant_with(kTiles, "requires = [\"m <= 2000000\", \"batch <= 100000\"]\n");
  const CaseGenerator generator(variant.contract, {.seed = 1});
  for (std::int64_t first = 0; first < 300; first += 100) {
    int rows = 0;
    int products = 0;
    for (std::int64_t i = first; i < first + 100; ++i) {
      const GeneratedCase generated = generator.draw(i);
      EXPECT_FALSE(generated.excluded_by);
      rows += generated.problem.whole("m") > 1'000'000 ? 1 : 0;
      products += generated.problem.whole("batch") > 5 ? 1 : 0;
    }
    EXPECT_EQ(rows, 1);
    EXPECT_EQ(products, 1);
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate
