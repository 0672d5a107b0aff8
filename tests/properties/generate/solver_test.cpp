#include "properties/generate/sampling/solver.hpp"

#include <gtest/gtest.h>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "tests/properties/gemm_device.hpp"

namespace warpcheck::properties::generate {
namespace {

using testing::blas_variant;
using testing::plain_variant;

std::optional<Case> projected(const contract::Variant& variant, const std::string& target) {
  return Solver(variant.contract).project(parse_case(target));
}

std::string solved(const contract::Variant& variant, const std::string& target) {
  const auto found = projected(variant, target);
  if (!found) return "none";
  EXPECT_FALSE(violated(variant.contract, *found)) << to_line(*found);
  EXPECT_NO_THROW((void)lay_out(variant.contract, *found, 1 << 30)) << to_line(*found);
  return to_line(*found);
}

TEST(Solver, KeepsATargetInTheDomain) {
  EXPECT_EQ(solved(blas_variant(), "fake m=3 n=5 k=7 lda=9 alpha=0.5"),
            "fake m=3 n=5 k=7 lda=9 alpha=0.5 beta=0 data=lattice seed=0");
}

TEST(Solver, RoundsToTheNearestMultiple) {
  EXPECT_EQ(
      projected(plain_variant("requires = [\"k % 24 == 0 and k >= 48\"]\n"), "fake m=3 n=5 k=85")
          ->k,
      96);
  EXPECT_EQ(
      projected(plain_variant("requires = [\"k % 24 == 0 and k >= 48\"]\n"), "fake m=3 n=5 k=2")->k,
      48);
}

TEST(Solver, SatisfiesEqualityOfExtents) {
  const auto found = projected(plain_variant("requires = [\"m == n\"]\n"), "fake m=33 n=900 k=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->m, 33);
  EXPECT_EQ(found->n, 33);
}

TEST(Solver, BindsConstantsBeforeEqualities) {
  const auto found =
      projected(plain_variant("requires = [\"m == n\", \"n == 70000\"]\n"), "fake m=33 n=9 k=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->m, 70000);
}

TEST(Solver, BacktracksToAnEarlierExtent) {
  const auto found = projected(
      plain_variant("requires = [\"m * n == 91\", \"m > 1\", \"n > 1\"]\n"), "fake m=5 n=5 k=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->m * found->n, 91);
}

TEST(Solver, ChangesTheSizeForATightLeadingDimension) {
  // lda is no argument, so it is k.
  EXPECT_EQ(projected(plain_variant("requires = [\"lda % 4 == 0\"]\n"), "fake m=3 n=5 k=7")->k, 8);
}

TEST(Solver, WidensALeadingDimensionArgument) {
  const auto found = projected(blas_variant("requires = [\"lda % 4 == 0\"]\n"), "fake m=3 n=5 k=7");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->k, 7);
  EXPECT_EQ(found->lda, 8);
}

TEST(Solver, AlignsABase) {
  const auto found =
      projected(plain_variant("requires = [\"aligned(a, 16)\"]\n"), "fake m=3 n=5 k=7 off_a=3");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->off_a, 4);
}

TEST(Solver, SatisfiesAConstantBeta) {
  EXPECT_EQ(
      projected(blas_variant("requires = [\"beta == 0\"]\n"), "fake m=3 n=5 k=7 beta=0.5")->beta,
      0.0);
}

TEST(Solver, FindsNothingInAnEmptyDomain) {
  EXPECT_FALSE(
      projected(plain_variant("requires = [\"m == n\", \"m > n\"]\n"), "fake m=3 n=5 k=7"));
}

TEST(Solver, ReturnsTheLeastExtent) {
  const contract::Variant variant =
      plain_variant("requires = [\"m == 4096\", \"k % 24 == 0 and k >= 48\", \"n >= m\"]\n");
  const Solver solver(variant.contract);
  EXPECT_EQ(solver.least(&Case::m), 4096);
  EXPECT_EQ(solver.least(&Case::n), 0);
  EXPECT_EQ(solver.least(&Case::k), 48);
}

}  // namespace
}  // namespace warpcheck::properties::generate
