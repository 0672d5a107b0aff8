#include "properties/generate/cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "tests/properties/gemm_device.hpp"

namespace warpcheck::properties::generate {
namespace {

using testing::blas_variant;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::plain_variant;

std::vector<Case> generated(const contract::Variant& variant, std::int64_t count,
                            std::uint64_t seed = 1) {
  const CaseGenerator generator(variant.contract, seed);
  std::vector<Case> cases;
  for (std::int64_t i = 0; i < count; ++i) cases.push_back(generator.draw(i).problem);
  return cases;
}

std::int64_t count(const std::vector<Case>& cases, const std::function<bool(const Case&)>& holds) {
  return std::count_if(cases.begin(), cases.end(), holds);
}

TEST(Tiles, ComeFromGridNameAndDomain) {
  const contract::Variant variant = plain_variant("requires = [\"k % 24 == 0\"]\n");
  const Tiles found = tiles(variant.contract);
  EXPECT_EQ(found.m, (std::vector<std::int64_t>{16}));
  EXPECT_EQ(found.n, (std::vector<std::int64_t>{16}));
  EXPECT_EQ(found.k, (std::vector<std::int64_t>{4, 8, 16, 24}));
}

TEST(Cases, DependOnlyOnSeedVariantAndNumber) {
  const contract::Variant variant = blas_variant();
  EXPECT_EQ(generated(variant, 50), generated(variant, 50));
  const CaseGenerator generator(variant.contract, 1);
  EXPECT_EQ(generator.draw(37).problem, generated(variant, 38).back());
  EXPECT_NE(generated(variant, 50, 1), generated(variant, 50, 2));
}

TEST(Cases, IncludeTheEdgesOfTiles) {
  const auto cases = generated(blas_variant(), 200);
  std::set<std::int64_t> m, n, k;
  for (const Case& problem : cases) {
    m.insert(problem.m);
    n.insert(problem.n);
    k.insert(problem.k);
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
    return problem.m * problem.n * problem.k > 100'000;
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
    const double work = static_cast<double>(problem.m * problem.n * problem.k);
    EXPECT_LE(work, 4e6) << to_line(problem);
    total += work;
  }
  EXPECT_LT(total / 1000, 1e6);
  EXPECT_GT(count(cases,
                  [](const Case& problem) {
                    return std::max({problem.m, problem.n, problem.k}) > 500;
                  }),
            20)
      << "long, thin ones";
}

TEST(Cases, SeldomEmptyIfTilesAreWhole) {
  const auto cases = generated(
      plain_variant("requires = [\"m % 32 == 0\", \"n % 32 == 0\", \"k % 32 == 0\"]\n"), 200);
  EXPECT_GE(count(cases, [](const Case& line) { return line.m > 0 && line.n > 0 && line.k > 0; }),
            140);
  EXPECT_GE(count(cases, [](const Case& line) { return line.k == 0; }), 5);
}

TEST(Cases, SeldomHaveEqualExtents) {
  EXPECT_LT(count(generated(blas_variant(), 500),
                  [](const Case& p) { return p.m == p.n || p.n == p.k || p.m == p.k; }),
            150);
}

TEST(Cases, VaryLayoutFactorsAndData) {
  const auto cases = generated(blas_variant(), 200);
  EXPECT_GT(count(cases, [](const Case& p) { return p.lda > p.k; }), 40);
  EXPECT_GT(count(cases, [](const Case& p) { return p.lda == 0; }), 40);
  EXPECT_GT(count(cases, [](const Case& p) { return p.ldc != 0 && p.ldb != p.ldc; }), 40);
  for (const std::int64_t offset : {0, 1, 2, 3}) {
    EXPECT_GT(count(cases, [&](const Case& p) { return p.off_a == offset; }), 10);
  }
  for (const double factor : {0.0, 1.0, -1.0}) {
    EXPECT_GT(count(cases, [&](const Case& p) { return p.alpha == factor; }), 3);
    EXPECT_GT(count(cases, [&](const Case& p) { return p.beta == factor; }), 3);
  }
  for (int i = 0; i <= static_cast<int>(Recipe::special); ++i) {
    EXPECT_GT(count(cases, [&](const Case& p) { return static_cast<int>(p.data) == i; }), 2) << i;
  }
}

TEST(Cases, SetOnlyFieldsThatTheContractTakes) {
  for (const Case& problem : generated(plain_variant(), 200)) {
    EXPECT_EQ(problem.lda, 0);
    EXPECT_EQ(problem.ldc, 0);
    EXPECT_EQ(problem.alpha, 1.0);
    EXPECT_EQ(problem.beta, 0.0);
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
      EXPECT_LE(problem.m * problem.n * problem.k, 64'000'000) << to_line(problem);
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
  const CaseGenerator generator(variant.contract, 1);
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
    (void)CaseGenerator(variant.contract, 1).draw(0);
    FAIL() << "generated";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).where.file, "kernel.toml");
    EXPECT_NE(error.diagnostics().at(0).where.line, 0U);
    EXPECT_THAT(error.diagnostics().at(0).message, HasSubstr("m == n and m > n"));
  }
}

}  // namespace
}  // namespace warpcheck::properties::generate
