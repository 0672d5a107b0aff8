#include "campaign/generate/cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <thread>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::generate {
namespace {

using testing::blas_variant;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::plain_variant;

std::vector<Case> generated(const contract::Variant& variant, std::int64_t count,
                            std::uint64_t seed = 1) {
  const CaseGenerator generator(variant.contract, {.seed = seed});
  std::vector<Case> cases;
  for (std::int64_t i = 0; i < count; ++i) cases.push_back(generator.draw(i).problem);
  return cases;
}

std::int64_t count(const std::vector<Case>& cases, const std::function<bool(const Case&)>& holds) {
  return std::count_if(cases.begin(), cases.end(), holds);
}

/// Other threads draw cases while one plans the next.
TEST(CaseGenerator, PlannedCasesAreThoseOfADraw) {
  constexpr std::int64_t kCases = 200;
  const contract::Variant variant = blas_variant();
  const std::vector<Case> expected = generated(variant, kCases);
  const CaseGenerator generator(variant.contract, {.seed = 1});
  EXPECT_EQ(generator.planned(), 0);
  std::vector<Case> cases(kCases);
  {
    std::jthread planner([&] {
      for (std::int64_t end = 7; end < kCases + 7; end += 7) generator.plan(end);
    });
    for (std::int64_t i = 0; i < kCases; ++i) {
      while (generator.planned() <= i) std::this_thread::yield();
      cases[static_cast<std::size_t>(i)] = generator.draw(i).problem;
      (void)generator.levels(cases[static_cast<std::size_t>(i)]);
    }
  }
  EXPECT_EQ(cases, expected);
  generator.plan(5);
  EXPECT_GE(generator.planned(), kCases);
  generator.plan(1'000'000);
  EXPECT_EQ(generator.planned(), std::numeric_limits<std::int64_t>::max());
}

TEST(Tiles, ComeFromGridNameAndDomain) {
  const contract::Variant variant = plain_variant("requires = [\"k % 24 == 0\"]\n");
  const Tiles found = tiles(variant.contract);
  EXPECT_EQ(found.extents[0].sizes, (std::vector<std::int64_t>{16}));
  EXPECT_EQ(found.extents[1].sizes, (std::vector<std::int64_t>{16}));
  EXPECT_EQ(found.extents[2].sizes, (std::vector<std::int64_t>{4, 8, 16, 24}));
}

/// Returns a variant of 128 x 128 tiles with steps of 32 along k, in whole tiles only.
contract::Variant whole_tiles() {
  return testing::variant_of(R"t([[variant]]
name = "whole"
kernel = "tiled<E4m3, 3>"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block = [16, 16]
grid = ["ceil_div(n, 128)", "ceil_div(m, 128)"]
requires = ["m % 128 == 0", "n % 128 == 0", "k % 32 == 0"]
)t");
}

contract::Variant variant_with_grid(const std::string& grid, const std::string& more = "") {
  return testing::variant_of(R"t([[variant]]
name = "grid"
kernel = "tiled"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block = [256]
grid = [)t" + grid + "]\n" + more);
}

TEST(Tiles, BlockTileIsTheIncreaseAfterWhichTheGridGrows) {
  const auto steps = [](const std::string& grid) {
    const contract::Variant variant = variant_with_grid(grid);
    const CaseSchema schema = case_schema(variant.contract);
    return std::pair(grid_step(variant.contract, schema.fields[0]),
                     grid_step(variant.contract, schema.fields[1]));
  };
  EXPECT_EQ(steps(R"t("ceil_div(n, 256)", "ceil_div(m, 192)")t"), std::pair(192L, 256L));
  EXPECT_EQ(steps(R"t("n / 64", "(m + 31) / 32")t"), std::pair(32L, 64L));
  EXPECT_EQ(steps(R"t("ceil_div(m, 128) * ceil_div(n, 64)")t"), std::pair(128L, 64L));
  EXPECT_EQ(steps(R"t("min(ceil_div(m, 128) * ceil_div(n, 64), 108)")t"), std::pair(128L, 64L));
  EXPECT_EQ(steps(R"t("n", 4)t"), std::pair(0L, 1L));
}

TEST(Tiles, PeriodIsTheDistanceOfAdmittedSizes) {
  const auto period = [](const std::string& requirement) {
    const contract::Variant variant =
        variant_with_grid(R"t("ceil_div(m, 16)")t", "requires = [" + requirement + "]\n");
    return domain_period(variant.contract, case_schema(variant.contract).fields[2]);
  };
  EXPECT_EQ(period(R"("k % 24 == 0 and k >= 48")"), 24);
  EXPECT_EQ(period(R"("k / 32 * 32 == k")"), 32);
  EXPECT_EQ(period(R"("k % 4 == 0", "k % 6 == 0")"), 12);
  EXPECT_EQ(period(R"("k == 512")"), 1);
  EXPECT_EQ(period(R"("k <= 8 or k % 32 == 0")"), 1);
  EXPECT_EQ(period(R"("k % 8 == 0 or m == 1")"), 1);
}

TEST(Tiles, StagesAreTemplateArguments) {
  EXPECT_EQ(tiles(whole_tiles().contract).stages, (std::vector<std::int64_t>{3}));
}

TEST(Landmarks, AreLiteralsAsElementsAndAsTiles) {
  const contract::Variant variant = variant_with_grid(
      R"t("min(ceil_div(m, 16), 64)", "ceil_div(n, 16)")t", "requires = [\"n <= 4000\"]\n");
  const Landmarks found = landmarks(variant.contract, tiles(variant.contract));
  EXPECT_EQ(found[0], (std::vector<std::int64_t>{64, 1024}));
  EXPECT_EQ(found[1], (std::vector<std::int64_t>{4000}));
  EXPECT_EQ(found[2], (std::vector<std::int64_t>{}));
}

/// Cases of several seeds in a domain of whole tiles.
TEST(Cases, LaunchBlocksBothWaysIfTilesAreWhole) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto cases = generated(whole_tiles(), 100, seed);
    EXPECT_GE(
        count(cases, [](const Case& p) { return p.whole("m") >= 256 && p.whole("n") >= 256; }), 20);
    EXPECT_LE(
        count(cases, [](const Case& p) { return p.whole("m") <= 128 && p.whole("n") <= 128; }), 35);
    EXPECT_GE(count(cases,
                    [](const Case& p) {
                      return p.whole("m") >= 256 && p.whole("n") >= 256 && p.whole("k") >= 96;
                    }),
              3);
    for (std::int64_t tiles = 0; tiles <= 5; ++tiles) {
      EXPECT_GE(count(cases, [&](const Case& p) { return p.whole("k") == 32 * tiles; }), 1)
          << tiles;
    }
    EXPECT_GE(count(cases, [](const Case& p) { return p.whole("m") >= 6 * 128; }), 2);
    EXPECT_GE(count(cases, [](const Case& p) { return p.whole("n") >= 6 * 128; }), 2);
  }
}

TEST(Cases, ReachLandmarksOfEachExtent) {
  const contract::Variant variant =
      variant_with_grid(R"t("min(ceil_div(n, 16), 256)", "ceil_div(m, 16)")t",
                        "requires = [\"m != 3000\", \"k != 2000\"]\n");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto cases = generated(variant, 100, seed);
    const auto has = [&](const char* extent, std::int64_t size) {
      return count(cases, [&](const Case& p) { return p.whole(extent) == size; }) > 0;
    };
    EXPECT_TRUE(has("m", 2999)) << seed;
    EXPECT_TRUE(has("m", 3001)) << seed;
    EXPECT_TRUE(has("k", 1999)) << seed;
    EXPECT_TRUE(has("k", 2001)) << seed;
    EXPECT_TRUE(has("n", 4096)) << seed;
    EXPECT_GT(count(cases, [](const Case& p) { return p.whole("n") > 4096; }), 0) << seed;
  }
}

TEST(Cases, AtMostOneOfHundredIsEmpty) {
  for (const contract::Variant& variant : {blas_variant(), whole_tiles()}) {
    const auto cases = generated(variant, 400);
    EXPECT_LE(
        count(cases,
              [](const Case& p) { return p.whole("m") * p.whole("n") * p.whole("batch") == 0; }),
        4);
    EXPECT_GE(count(cases, [](const Case& p) { return p.whole("m") * p.whole("n") == 0; }), 1);
  }
}

TEST(Cases, DependOnlyOnSeedVariantAndNumber) {
  const contract::Variant variant = blas_variant();
  EXPECT_EQ(generated(variant, 50), generated(variant, 50));
  const CaseGenerator generator(variant.contract, {.seed = 1});
  EXPECT_EQ(generator.draw(37).problem, generated(variant, 38).back());
  EXPECT_NE(generated(variant, 50, 1), generated(variant, 50, 2));
}

TEST(Cases, IncludeTheEdgesOfTiles) {
  const auto cases = generated(blas_variant(), 200);
  std::set<std::int64_t> m, n, k;
  for (const Case& problem : cases) {
    m.insert(problem.whole("m"));
    n.insert(problem.whole("n"));
    k.insert(problem.whole("k"));
  }
  for (const std::int64_t size : {1, 15, 16, 17, 31, 32, 33, 48}) {
    EXPECT_THAT(m, Contains(size));
    EXPECT_THAT(n, Contains(size));
  }
  for (const std::int64_t size : {0, 1, 7, 8, 15, 16, 17, 32, 33}) EXPECT_THAT(k, Contains(size));
}

TEST(Cases, LargeOnesAreSpreadEvenly) {
  const auto cases = generated(blas_variant(), 1000);
  const auto large = [](const Case& problem) {
    return problem.whole("m") * problem.whole("n") * problem.whole("k") > 100'000;
  };
  const std::int64_t first = count({cases.begin(), cases.begin() + 500}, large);
  const std::int64_t last = count({cases.begin() + 500, cases.end()}, large);
  EXPECT_GT(first, 25);
  EXPECT_NEAR(static_cast<double>(first), static_cast<double>(last), 40.0);
}

TEST(Cases, StayWithinTheBudgetOfWork) {
  double total = 0.0;
  const auto cases = generated(blas_variant(), 1000);
  for (const Case& problem : cases) {
    const double work =
        static_cast<double>(problem.whole("m") * problem.whole("n") * problem.whole("k"));
    EXPECT_LE(work, 4e6) << to_line(problem);
    total += work;
  }
  EXPECT_LT(total / 1000, 1e6);
  EXPECT_GT(
      count(cases,
            [](const Case& problem) {
              return std::max({problem.whole("m"), problem.whole("n"), problem.whole("k")}) > 500;
            }),
      20)
      << "long, thin ones";
}

TEST(Cases, SeldomEmptyIfTilesAreWhole) {
  const auto cases = generated(
      plain_variant("requires = [\"m % 32 == 0\", \"n % 32 == 0\", \"k % 32 == 0\"]\n"), 200);
  EXPECT_GE(count(cases,
                  [](const Case& line) {
                    return line.whole("m") > 0 && line.whole("n") > 0 && line.whole("k") > 0;
                  }),
            140);
  EXPECT_GE(count(cases, [](const Case& line) { return line.whole("k") == 0; }), 5);
}

TEST(Cases, SeldomHaveEqualExtents) {
  EXPECT_LT(count(generated(blas_variant(), 500),
                  [](const Case& p) {
                    return p.whole("m") == p.whole("n") || p.whole("n") == p.whole("k") ||
                           p.whole("m") == p.whole("k");
                  }),
            150);
}

TEST(Cases, VaryLayoutFactorsAndData) {
  const auto cases = generated(blas_variant(), 200);
  EXPECT_GT(count(cases, [](const Case& p) { return p.whole("lda") > p.whole("k"); }), 40);
  EXPECT_GT(count(cases, [](const Case& p) { return p.whole("lda") == 0; }), 40);
  EXPECT_GT(
      count(cases,
            [](const Case& p) { return p.whole("ldc") != 0 && p.whole("ldb") != p.whole("ldc"); }),
      40);
  for (const std::int64_t offset : {0, 1, 2, 3}) {
    EXPECT_GT(count(cases, [&](const Case& p) { return p.whole("off_a") == offset; }), 10);
  }
  for (const double factor : {0.0, 1.0, -1.0}) {
    EXPECT_GT(count(cases, [&](const Case& p) { return p.number("alpha") == factor; }), 3);
    EXPECT_GT(count(cases, [&](const Case& p) { return p.number("beta") == factor; }), 3);
  }
  for (int i = 0; i <= static_cast<int>(Recipe::special); ++i) {
    EXPECT_GT(count(cases, [&](const Case& p) { return static_cast<int>(p.data) == i; }), 2) << i;
  }
}

TEST(Cases, SetOnlyFieldsThatTheContractTakes) {
  for (const Case& problem : generated(plain_variant(), 200)) {
    EXPECT_EQ(problem.whole("lda"), 0);
    EXPECT_EQ(problem.whole("ldc"), 0);
    EXPECT_EQ(problem.number("alpha"), 1.0);
    EXPECT_EQ(problem.number("beta"), 0.0);
  }
}

class InDomain : public ::testing::TestWithParam<const char*> {};

TEST_P(InDomain, EachCaseIsInTheDomain) {
  for (const bool blas : {false, true}) {
    const std::string domain = "requires = [" + std::string(GetParam()) + "]\n";
    const contract::Variant variant = blas ? blas_variant(domain) : plain_variant(domain);
    for (const Case& problem : generated(variant, 100)) {
      EXPECT_EQ(violated(variant.contract, problem), std::nullopt) << to_line(problem);
      EXPECT_NO_THROW((void)lay_out(variant.contract, problem, 1 << 30)) << to_line(problem);
      EXPECT_LE(problem.whole("m") * problem.whole("n") * problem.whole("k"), 64'000'000)
          << to_line(problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, InDomain,
    ::testing::Values(R"("m == n")", R"("m == 4096")",
                      R"("m == 512", "n == m", "k % 24 == 0 and k >= 48")",
                      R"("m % 16 == 0", "n % 16 == 0", "k % 16 == 0")",
                      R"x("lda % 4 == 0", "ldb % 4 == 0", "aligned(a, 16)", "aligned(b, 16)")x",
                      R"("m > n", "n > k")", R"("k <= 8 or k % 32 == 0")", R"("m == 2 * n")",
                      R"("n >= 1 and m >= 1", "ldc == n")", R"("m * n <= 64")", R"("lda == ldb")",
                      R"("ldb == ldc", "lda <= ldb")", R"("lda == k", "k > 0")",
                      R"("m + n == 256", "m * k <= 65536")", R"("(m / 16) % 2 == 1", "n % m == 0")",
                      R"x("not aligned(a, 8) or not aligned(b, 8)", "max(m, n) >= 2 * k")x"));

TEST(Cases, RecordTheExcludingRequirement) {
  const contract::Variant variant = plain_variant("requires = [\"k % 4 == 0\"]\n");
  const CaseGenerator generator(variant.contract, {.seed = 1});
  int outside = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    const GeneratedCase one = generator.draw(i);
    if (one.excluded_by) {
      ++outside;
      EXPECT_EQ(*one.excluded_by, "k % 4 == 0");
    }
  }
  EXPECT_GT(outside, 20);
  EXPECT_LT(outside, 90);
}

TEST(Cases, EmptyDomainIsAnError) {
  const contract::Variant variant = plain_variant("requires = [\"m == n\", \"m > n\"]\n");
  try {
    (void)CaseGenerator(variant.contract, {.seed = 1}).draw(0);
    FAIL() << "generated";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).where.file, "kernel.toml");
    EXPECT_NE(error.diagnostics().at(0).where.line, 0U);
    EXPECT_THAT(error.diagnostics().at(0).message, HasSubstr("m == n and m > n"));
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate
