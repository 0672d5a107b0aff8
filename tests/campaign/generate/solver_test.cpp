#include "campaign/generate/sampling/solver.hpp"

#include <gtest/gtest.h>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::generate {
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
          ->whole("k"),
      96);
  EXPECT_EQ(
      projected(plain_variant("requires = [\"k % 24 == 0 and k >= 48\"]\n"), "fake m=3 n=5 k=2")
          ->whole("k"),
      48);
}

TEST(Solver, SatisfiesEqualityOfExtents) {
  const auto found = projected(plain_variant("requires = [\"m == n\"]\n"), "fake m=33 n=900 k=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("m"), 33);
  EXPECT_EQ(found->whole("n"), 33);
}

TEST(Solver, BindsConstantsBeforeEqualities) {
  const auto found =
      projected(plain_variant("requires = [\"m == n\", \"n == 7000\"]\n"), "fake m=33 n=9 k=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("m"), 7000);
}

TEST(Solver, BacktracksToAnEarlierExtent) {
  const auto found = projected(
      plain_variant("requires = [\"m * n == 91\", \"m > 1\", \"n > 1\"]\n"), "fake m=5 n=5 k=2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("m") * found->whole("n"), 91);
}

TEST(Solver, ChangesTheSizeForATightLeadingDimension) {
  // lda is no argument, so it is k.
  EXPECT_EQ(
      projected(plain_variant("requires = [\"lda % 4 == 0\"]\n"), "fake m=3 n=5 k=7")->whole("k"),
      8);
}

TEST(Solver, WidensALeadingDimensionArgument) {
  const auto found = projected(blas_variant("requires = [\"lda % 4 == 0\"]\n"), "fake m=3 n=5 k=7");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("k"), 7);
  EXPECT_EQ(found->whole("lda"), 8);
}

TEST(Solver, AlignsABase) {
  const auto found =
      projected(plain_variant("requires = [\"aligned(a, 16)\"]\n"), "fake m=3 n=5 k=7 off_a=3");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("off_a"), 4);
}

TEST(Solver, SatisfiesAConstantBeta) {
  EXPECT_EQ(projected(blas_variant("requires = [\"beta == 0\"]\n"), "fake m=3 n=5 k=7 beta=0.5")
                ->number("beta"),
            0.0);
}

/// Returns the domain of these conditions with all arguments of a BLAS gemm.
contract::Variant blas_domain(const std::string& conditions) {
  return blas_variant("requires = [" + conditions + "]\n");
}

TEST(Solver, TiesLeadingDimensions) {
  const auto variant = blas_domain(R"("lda == ldb", "ldb == ldc")");
  EXPECT_EQ(solved(variant, "fake m=3 n=640 k=128 lda=130"),
            "fake m=3 n=640 k=128 lda=640 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Solver, DoesNotTransposeWhatTheKernelDoesNot) {
  // B is stored by columns, so ldb is at least k. C has n columns, and ldc is no argument. Without
  // a transposition, which the kernel does not take, k is at most n.
  const auto variant = testing::variant_of(
      "[[variant]]\nname = \"fake\"\nkernel = \"gemm\"\noperation = \"gemm\"\nblock = [16]\n"
      "grid = [\"m\"]\nlayout = { a = \"row\", b = \"col\", c = \"row\" }\n"
      "arguments = [\"a\", \"b\", \"ldb\", \"c\", \"m\", \"n\", \"k\"]\nrequires = [\"ldb == "
      "ldc\"]\n");
  EXPECT_EQ(solved(variant, "fake m=5 n=128 k=640"),
            "fake m=5 n=128 k=128 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Solver, CombinesCongruencesOfRelatedVariables) {
  const auto found = projected(blas_domain(R"("lda % 8 == 0 and lda == m + 4", "m % 12 == 0")"),
                               "fake m=50 n=5 k=7");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("m"), 60);
  EXPECT_EQ(found->whole("lda"), 64);
}

TEST(Solver, SolvesSystemsOfLinearEquations) {
  const auto found = projected(plain_variant("requires = [\"m + n == 256\", \"m - n == 100\"]\n"),
                               "fake m=3 n=5 k=7");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("m"), 178);
  EXPECT_EQ(found->whole("n"), 78);
}

TEST(Solver, SkipsLargeExcludedIntervals) {
  const auto variant = plain_variant("requires = [\"(m / 4096) % 2 == 1\"]\n");
  EXPECT_EQ(projected(variant, "fake m=5 n=5 k=7")->whole("m"), 4096);
  EXPECT_EQ(projected(variant, "fake m=9000 n=5 k=7")->whole("m"), 8191);
}

TEST(Solver, SolvesProductsAndDivisibility) {
  const auto variant =
      plain_variant("requires = [\"m * k <= 65536\", \"n % m == 0\", \"n > 1\"]\n");
  const auto found = projected(variant, "fake m=3000 n=1021 k=3000");
  ASSERT_TRUE(found);
  EXPECT_EQ(violated(variant.contract, *found), std::nullopt);
  EXPECT_EQ(found->whole("m"), 1021);
  EXPECT_EQ(found->whole("n"), 1021);
  EXPECT_EQ(found->whole("k"), 64);
}

TEST(Solver, FactorsEquationsWithARepeatedVariable) {
  const auto equation = plain_variant("requires = [\"k == k * n - 6\", \"m == 27\"]\n");
  const auto divisor = projected(equation, "fake m=3 n=50 k=50");
  ASSERT_TRUE(divisor);
  EXPECT_EQ(divisor->whole("k") * (divisor->whole("n") - 1), 6);
  const auto square =
      projected(blas_domain(R"("m == ldc * ldc - 47", "n > 8")"), "fake m=64 n=64 k=64");
  ASSERT_TRUE(square);
  EXPECT_EQ(square->whole("ldc") != 0 ? square->whole("ldc") * square->whole("ldc")
                                      : square->whole("n") * square->whole("n"),
            square->whole("m") + 47);
}

TEST(Solver, SetsAnOffsetWithoutALargerAlignment) {
  const auto variant = plain_variant("requires = [\"aligned(a, 8) and not aligned(a, 16)\"]\n");
  EXPECT_EQ(projected(variant, "fake m=3 n=5 k=7 off_a=0")->whole("off_a"), 2);
}

TEST(Solver, SatisfiesOneOfTwoAlternatives) {
  const auto variant = plain_variant("requires = [\"k <= 8 or k % 32 == 0\"]\n");
  EXPECT_EQ(projected(variant, "fake m=3 n=5 k=18")->whole("k"), 8);
  EXPECT_EQ(projected(variant, "fake m=3 n=5 k=21")->whole("k"), 32);
}

TEST(Solver, DividesByNoZero) {
  const auto variant = plain_variant("requires = [\"100 / m == 7\", \"not (m % n == 0)\"]\n");
  const auto found = projected(variant, "fake m=0 n=0 k=7");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole("m"), 13);
  EXPECT_EQ(found->whole("n"), 2);
}

TEST(Solver, KeepsAFactorThatIsNoWholeNumber) {
  const auto variant = blas_domain(R"("m % 2 == 0 or alpha == 1", "n % 2 == 0")");
  EXPECT_EQ(projected(variant, "fake m=4 n=5 k=7 alpha=0.5")->number("alpha"), 0.5);
}

TEST(Solver, LimitsTheSizeOfAMatrix) {
  const auto variant = blas_domain(R"("lda >= m * 1000000")");
  EXPECT_EQ(solved(variant, "fake m=90 n=5 k=7"),
            "fake m=16 n=5 k=7 lda=16000000 alpha=1 beta=0 data=lattice seed=0");
}

TEST(Solver, NamesTheConditionsThatContradictEachOther) {
  const auto texts = [](const std::string& conditions) {
    const auto variant = blas_domain(conditions);
    const auto conflict = Solver(variant.contract).conflict();
    if (!conflict) return std::string("none");
    std::string all;
    for (const contract::Expression& conjunct : conflict->conjuncts) all += conjunct.text() + "; ";
    for (const std::string& rule : conflict->rules) all += rule + "; ";
    return all;
  };
  EXPECT_EQ(texts(R"("k >= 8", "m == n", "ldb % 4 == 0", "m > n")"), "m == n; m > n; ");
  EXPECT_EQ(texts(R"("k % 4 == 1 and n > 2", "k % 8 == 4")"), "k % 4 == 1; k % 8 == 4; ");
  EXPECT_EQ(texts(R"("k >= 8", "lda == k - 1")"),
            "lda == k - 1; lda is at least the length of a line of A; ");
  EXPECT_EQ(texts(R"("m == n + 1", "m % 2 == 0", "n % 2 == 0")"),
            "m == n + 1; m % 2 == 0; n % 2 == 0; ");
  EXPECT_EQ(texts(R"("m == n", "k == 3")"), "none");
}

TEST(Solver, FindsNothingInAnEmptyDomain) {
  EXPECT_FALSE(
      projected(plain_variant("requires = [\"m == n\", \"m > n\"]\n"), "fake m=3 n=5 k=7"));
}

TEST(Solver, ReturnsTheLeastExtent) {
  const contract::Variant variant =
      plain_variant("requires = [\"m == 4096\", \"k % 24 == 0 and k >= 48\", \"n >= m\"]\n");
  const Solver solver(variant.contract);
  EXPECT_EQ(solver.least(0), 4096);
  EXPECT_EQ(solver.least(1), 0);
  EXPECT_EQ(solver.least(2), 48);
}

}  // namespace
}  // namespace warpcheck::campaign::generate
