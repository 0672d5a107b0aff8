#include "campaign/shrink/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "tests/campaign/gemm_device.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::shrink {
namespace {

using testing::blas_variant;
using testing::plain_variant;

ShrinkLimits patient(std::int64_t attempts = 400) {
  return {.attempts = attempts, .tries_other_data = true};
}

std::string shrunk(const contract::Variant& variant, const std::string& line,
                   const StillFails& fails, std::int64_t attempts = 400) {
  const Case failing = parse_case(line);
  EXPECT_TRUE(fails(failing)) << line;
  const Case smallest = shrink(variant.contract, failing, fails, patient(attempts));
  EXPECT_TRUE(fails(smallest)) << to_line(smallest);
  return to_line(smallest);
}

constexpr const char* kLarge =
    "fake m=129 n=97 k=200 lda=211 ldb=100 ldc=99 off_a=3 off_b=1 off_c=2 alpha=0.7 beta=-3 "
    "data=wide seed=4711";

TEST(Shrink, ResetsFieldsThatDoNotMatter) {
  EXPECT_EQ(shrunk(blas_variant(), kLarge,
                   [](const Case& p) { return p.whole("m") > 0 && p.whole("n") > 0; }),
            "fake m=1 n=1 k=0 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Shrink, KeepsFieldsThatMatter) {
  EXPECT_EQ(shrunk(blas_variant(), kLarge,
                   [](const Case& p) {
                     return p.whole("m") >= 17 && p.whole("lda") > p.whole("k") &&
                            p.number("beta") != 0.0;
                   }),
            "fake m=17 n=1 k=0 lda=2 alpha=1 beta=1 data=lattice seed=0");
}

TEST(Shrink, FindsASizeBetweenMultiplesOfTiles) {
  EXPECT_EQ(shrunk(blas_variant(), kLarge, [](const Case& p) { return p.whole("k") >= 53; }),
            "fake m=1 n=1 k=53 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Shrink, ShrinksEqualSizesTogether) {
  EXPECT_EQ(shrunk(blas_variant(), "fake m=96 n=96 k=7 seed=0",
                   [](const Case& p) { return p.whole("m") == p.whole("n") && p.whole("m") >= 3; }),
            "fake m=3 n=3 k=0 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Shrink, KeepsTheDifferenceOfTwoSizes) {
  EXPECT_EQ(shrunk(blas_variant(), "fake m=90 n=85 k=7 seed=0",
                   [](const Case& p) { return p.whole("m") == p.whole("n") + 5; }),
            "fake m=6 n=1 k=0 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Shrink, FindsALargeSizeInFewSteps) {
  EXPECT_EQ(shrunk(
                blas_variant(), "fake m=2000000 n=1 k=1 seed=0",
                [](const Case& p) { return p.whole("m") > 65535; }, 200),
            "fake m=65536 n=1 k=0 alpha=1 beta=0 data=lattice seed=0");
}

// A mistake that one term in 64 shows: each of few terms needs data of its own.
TEST(Shrink, TriesSmallerProductsWithOtherData) {
  const auto fails = [](const Case& p) {
    return static_cast<std::int64_t>((p.seed * 37 + 5) % 64) <
           p.whole("m") * p.whole("n") * p.whole("k");
  };
  EXPECT_EQ(shrunk(blas_variant(), "fake m=90 n=85 k=7 data=normal seed=8000", fails),
            "fake m=1 n=1 k=1 alpha=1 beta=0 data=lattice seed=31");
}

TEST(Shrink, TriesOtherDataOnlyIfTheFailureMayDependOnThem) {
  std::uint64_t largest = 0;
  const auto fails = [&](const Case& p) {
    largest = std::max(largest, p.seed);
    return p.whole("k") >= 53;
  };
  const Case failing = parse_case("fake m=9 n=8 k=90 seed=3");
  const ShrinkLimits limits = {.attempts = 4000};
  EXPECT_EQ(to_line(shrink(blas_variant().contract, failing, fails, limits)),
            "fake m=1 n=1 k=53 alpha=1 beta=0 data=lattice seed=0");
  EXPECT_LE(largest, 3U);
}

// 120 is no number of the contract, no half and no quarter of a failing size.
TEST(Shrink, ProjectsCasesOfOperationsOntoTheDomain) {
  const contract::Contract contract =
      testing::operation_contract(testing::kRowSums, "requires = [\"columns % 24 == 0\"]\n");
  const auto fails = [](const Case& problem) {
    const double columns = problem.value("columns").value_or(0.0);
    EXPECT_EQ(static_cast<int>(columns) % 24, 0) << to_line(problem);
    return columns >= 110.0;
  };
  const Case failing = parse_case("sums operation=row_sums depth=3 rows=9 columns=480 seed=0");
  EXPECT_EQ(to_line(shrink(contract, failing, fails, patient())),
            "sums operation=row_sums depth=1 rows=1 columns=120 scale=1 data=lattice seed=0");
}

std::string shrunk_sums(const std::string& line, const StillFails& fails,
                        const std::string& toml = testing::kRowSums) {
  const contract::Contract contract = testing::operation_contract(toml);
  const Case failing = parse_case(line);
  EXPECT_TRUE(fails(failing)) << line;
  const Case smallest = shrink(contract, failing, fails, patient());
  EXPECT_TRUE(fails(smallest)) << to_line(smallest);
  return to_line(smallest);
}

double extent(const Case& problem, const char* name) { return problem.value(name).value_or(0.0); }

// A mistake that one element in 64 shows: each of few elements needs data of its own.
TEST(Shrink, TriesSmallCasesOfAnOperationWithOtherData) {
  const auto fails = [](const Case& problem) {
    const double elements = extent(problem, "rows") * extent(problem, "columns");
    const auto the_element = static_cast<double>((problem.seed * 37 + 5) % 64);
    return extent(problem, "columns") >= 2.0 && the_element < elements;
  };
  EXPECT_EQ(shrunk_sums("sums operation=row_sums depth=3 rows=90 columns=200 data=normal seed=8000",
                        fails),
            "sums operation=row_sums depth=1 rows=1 columns=2 scale=1 data=lattice seed=12");
}

// Integers are exact until their sum is large. Their simple data must not keep the case large.
TEST(Shrink, TriesSmallCasesOfAnOperationWithOtherRecipes) {
  const auto fails = [](const Case& problem) {
    return extent(problem, "columns") >= (problem.data == Recipe::lattice ? 1000.0 : 3.0);
  };
  EXPECT_EQ(
      shrunk_sums("sums operation=row_sums depth=2 rows=9 columns=1200 data=lattice seed=7", fails),
      "sums operation=row_sums depth=1 rows=1 columns=3 scale=1 data=normal seed=0");
}

// 3 * stride is little more than 2^32. A smaller tight stride with the same padding makes it less.
TEST(Shrink, KeepsAHugeStrideWhileExtentsBecomeSmaller) {
  const auto fails = [](const Case& problem) {
    const double beyond = 3.0 * extent(problem, "batch_stride_x") - 0x1p32;
    return extent(problem, "depth") >= 4.0 && beyond >= 0.0 && beyond < 64.0;
  };
  EXPECT_EQ(
      shrunk_sums("sums operation=row_sums depth=5 rows=4 columns=5 batch_stride_x=1431655774 "
                  "seed=9",
                  fails, testing::batched_row_sums()),
      "sums operation=row_sums depth=4 rows=1 columns=1 batch_stride_x=1431655774 scale=1 "
      "data=lattice seed=0");
}

TEST(Shrink, StaysInTheDomain) {
  const contract::Variant variant =
      blas_variant("requires = [\"k % 24 == 0 and k >= 48\", \"lda % 4 == 0\", \"m == n\"]\n");
  const Case smallest = shrink(
      variant.contract, parse_case("fake m=96 n=96 k=240 lda=260 off_a=1 seed=5"),
      [&](const Case& p) {
        EXPECT_FALSE(violated(variant.contract, p)) << to_line(p);
        EXPECT_NO_THROW((void)lay_out(variant.contract, p, 1 << 30)) << to_line(p);
        return p.whole("m") >= 2 && p.whole("lda") > p.whole("k");
      },
      patient());
  EXPECT_EQ(to_line(smallest), "fake m=2 n=2 k=48 lda=52 alpha=1 beta=0 data=lattice seed=0");
}

// With one matrix the batch stride is not used and may be below lines * lda.
TEST(Shrink, EndsForABatchStrideBelowTheTightOne) {
  const contract::Variant variant = testing::variant_of(R"([[variant]]
name = "fake"
kernel = "gemm"
operation = "gemm"
block = [16, 16]
grid = ["m * n", "1", "batch"]
arguments = ["a", "lda", "stride_a", "b", "stride_b", "c", "ldc", "stride_c", "m", "n", "k", "batch"]
)");
  const Case smallest = parse_case(
      shrunk(variant, "fake m=2 n=2 k=3 batch=1 lda=5 stride_a=8 seed=0", [](const Case& p) {
        return p.whole("stride_a") > 0 && p.whole("stride_a") < p.whole("m") * p.whole("lda");
      }));
  EXPECT_EQ(smallest.whole("m"), 1);
  EXPECT_EQ(smallest.whole("n"), 1);
  EXPECT_EQ(smallest.whole("k"), 0);
}

TEST(Shrink, TriesEachCaseOnce) {
  std::set<std::string> seen;
  (void)shrink(
      plain_variant().contract, parse_case("fake m=96 n=95 k=240 seed=5"),
      [&](const Case& p) {
        EXPECT_TRUE(seen.insert(to_line(p)).second) << to_line(p);
        return p.whole("m") >= 20 && p.whole("k") >= 30;
      },
      patient());
  EXPECT_FALSE(seen.empty());
}

TEST(Shrink, StopsAfterTheAttempts) {
  std::int64_t attempts = 0;
  (void)shrink(
      plain_variant().contract, parse_case("fake m=96 n=95 k=240 seed=5"),
      [&](const Case&) { return ++attempts % 2 == 0; }, patient(10));
  EXPECT_EQ(attempts, 10);
}

TEST(Shrink, StopsAtTheDeadline) {
  std::int64_t attempts = 0;
  const Case failing = parse_case("fake m=96 n=95 k=240 seed=5");
  EXPECT_EQ(shrink(plain_variant().contract, failing, [&](const Case&) { return ++attempts > 0; },
                   {400, [] { return true; }}),
            failing);
  EXPECT_EQ(attempts, 0);
}

}  // namespace
}  // namespace warpcheck::campaign::shrink
