#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "reference/format.hpp"
#include "reference/gemm.hpp"
#include "tests/reference/simulated_kernels.hpp"

namespace warpcheck::reference {
namespace {

constexpr double kQuietNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = FLT_MAX;

/// The product of one row and one column: sum of a_k b_k.
Expected dot(Values a, Values b, double alpha = 1.0) {
  Gemm problem{.a = Matrix(1, static_cast<std::int64_t>(a.size())),
               .b = Matrix(static_cast<std::int64_t>(b.size()), 1),
               .c = {},
               .alpha = alpha};
  problem.a.values = std::move(a);
  problem.b.values = std::move(b);
  return gemm(problem);
}

TEST(SpecialValues, NanInARowOfAMakesOnlyThatRowNan) {
  Gemm problem{.a = Matrix(3, 2, 1.0), .b = Matrix(2, 3, 2.0), .c = {}};
  problem.a(1, 0) = kQuietNan;
  const Expected expected = gemm(problem);
  for (std::int64_t j = 0; j < 3; ++j) {
    EXPECT_EQ(expected.value(0, j), 4.0);
    EXPECT_TRUE(std::isnan(expected.value(1, j)));
    EXPECT_EQ(expected.value(2, j), 4.0);
    EXPECT_TRUE(expected.accepts(1, j, kQuietNan));
    EXPECT_FALSE(expected.accepts(1, j, 4.0));
    EXPECT_FALSE(expected.accepts(1, j, kInfinity));
    EXPECT_FALSE(expected.accepts(0, j, kQuietNan));
  }
  EXPECT_EQ(expected.bound, Bound::exact);
}

TEST(SpecialValues, NanIsNoFiniteValue) {
  const Expected expected = dot({0.1F, 0.3F}, {0.7F, 0.9F});
  EXPECT_GT(expected.tolerance(0, 0), 0.0);
  EXPECT_FALSE(expected.accepts(0, 0, kQuietNan));
  EXPECT_FALSE(expected.accepts(0, 0, kInfinity));
  EXPECT_FALSE(expected.accepts(0, 0, -kInfinity));
}

TEST(SpecialValues, InfinitiesFollowIeee754) {
  EXPECT_EQ(dot({kInfinity, 1.0}, {2.0, 3.0}).value(0, 0), kInfinity);
  EXPECT_EQ(dot({kInfinity, 1.0}, {-2.0, 3.0}).value(0, 0), -kInfinity);
  EXPECT_EQ(dot({kInfinity}, {2.0}, -1.0).value(0, 0), -kInfinity);
  EXPECT_TRUE(std::isnan(dot({kInfinity, 1.0}, {0.0, 3.0}).value(0, 0)));
  EXPECT_TRUE(std::isnan(dot({kInfinity, kInfinity}, {1.0, -1.0}).value(0, 0)));
  EXPECT_TRUE(std::isnan(dot({kQuietNan}, {0.0}).value(0, 0)));
  EXPECT_FALSE(dot({kInfinity, 1.0}, {2.0, 3.0}).accepts(0, 0, -kInfinity));
  EXPECT_FALSE(dot({kInfinity, 1.0}, {2.0, 3.0}).accepts(0, 0, kQuietNan));
  EXPECT_FALSE(dot({kInfinity, 1.0}, {2.0, 3.0}).accepts(0, 0, kLargest));
}

TEST(SpecialValues, InfinityInCReachesTheResult) {
  Gemm problem{.a = Matrix(1, 1, 1.0), .b = Matrix(1, 1, 1.0), .c = Matrix(1, 1, kInfinity)};
  problem.beta = -2.0;
  EXPECT_EQ(gemm(problem).value(0, 0), -kInfinity);
  problem.a(0, 0) = kInfinity;
  EXPECT_TRUE(std::isnan(gemm(problem).value(0, 0)));
}

TEST(SpecialValues, SumBeyondTheLargestValueIsInfinite) {
  const Expected expected = dot({kLargest, kLargest}, {1.0, 1.0});
  EXPECT_EQ(expected.value(0, 0), kInfinity);
  EXPECT_TRUE(expected.accepts(0, 0, kInfinity));
  EXPECT_FALSE(expected.accepts(0, 0, kLargest));
  EXPECT_FALSE(expected.accepts(0, 0, kQuietNan));
  // Small terms of either sign do not change this, even if they come first.
  EXPECT_EQ(dot({-5.0, kLargest, -7.0, 3.0}, {1.0, 3.0, 1.0, 1.0}).value(0, 0), kInfinity);
}

TEST(SpecialValues, LargestValueOrInfinityAtTheOverflowThreshold) {
  // 2^128 - 2^103, a tie, overflows; one step of the last place less does not. The order of
  // summation decides between them.
  const Expected expected = dot({kLargest, 0x1p103}, {1.0, 1.0});
  EXPECT_TRUE(expected.accepts(0, 0, kInfinity));
  EXPECT_TRUE(expected.accepts(0, 0, kLargest));
  EXPECT_FALSE(expected.accepts(0, 0, -kInfinity));
  EXPECT_FALSE(expected.accepts(0, 0, kQuietNan));
  EXPECT_FALSE(expected.accepts(0, 0, 0.0));
}

TEST(SpecialValues, AnyValueIsCorrectWhereTheOrderDecides) {
  // (L + L) - L is infinite, L + (L - L) is not.
  const Expected expected = dot({kLargest, kLargest, kLargest}, {1.0, 1.0, -1.0});
  EXPECT_TRUE(expected.accepts(0, 0, kLargest));
  EXPECT_TRUE(expected.accepts(0, 0, kInfinity));
  EXPECT_EQ(expected.tolerance(0, 0), kInfinity);
  // A kernel may multiply by alpha first or last.
  EXPECT_TRUE(dot({kLargest}, {2.0}, 0.25).accepts(0, 0, kInfinity));
  EXPECT_TRUE(dot({kLargest}, {2.0}, 0.25).accepts(0, 0, kLargest / 2.0));
}

TEST(SpecialValues, ValueBeyondTheTypeIsOneOfThoseAccepted) {
  for (const double last : {-4.0, -0x1.000002p2, -3.0}) {
    const Expected expected = dot({6.0, last}, {1.0, 1.0}, 0x1p127);
    EXPECT_EQ(expected.uncertain.size(), 1U);
    const double value = expected.value(0, 0);
    EXPECT_EQ(value, expected.element(0, 0).value);
    EXPECT_TRUE(expected.accepts(0, 0, value)) << value;
  }
}

/// -1024 * 512 is no f16: a sum in f16 is infinite, and remains infinite in a D of f32.
TEST(SpecialValues, OverflowOfANarrowAccumulatorMayBeInfinite) {
  Gemm problem{.a = Matrix(1, 1, -1024.0), .b = Matrix(1, 1, 512.0), .c = {}};
  problem.type_a = problem.type_b = problem.accumulate = ScalarType::f16;
  const Expected expected = gemm(problem);
  EXPECT_TRUE(expected.accepts(0, 0, -kInfinity));
  EXPECT_FALSE(expected.accepts(0, 0, kInfinity));
  EXPECT_TRUE(expected.accepts(0, 0, -524288.0))
      << "the sum was computed in a wider type than the contract declares";
  problem.accumulate = ScalarType::f32;
  EXPECT_FALSE(gemm(problem).accepts(0, 0, -kInfinity));
}

TEST(SpecialValues, ScalingCCanOverflow) {
  Gemm problem{.a = Matrix(1, 1, 1.0), .b = Matrix(1, 1, 1.0), .c = Matrix(1, 1, kLargest)};
  problem.alpha = 0.0;
  problem.beta = -2.0;
  EXPECT_EQ(gemm(problem).value(0, 0), -kInfinity);
  problem.beta = 1.0;
  EXPECT_EQ(gemm(problem).value(0, 0), kLargest);
}

std::string terms(const Gemm& p, std::int64_t i, std::int64_t j) {
  std::ostringstream text;
  text << "\nalpha " << p.alpha << " beta " << p.beta << " c " << p.c(i, j) << " terms";
  for (std::int64_t k = 0; k < p.a.columns; ++k) text << ' ' << p.a(i, k) << '*' << p.b(k, j);
  return text.str();
}

TEST(SpecialValues, OrderOfFiniteTermsDecidesInF64) {
  const double large = 0.75 * DBL_MAX;
  Gemm problem{.a = Matrix(1, 4, 1.0), .b = Matrix(4, 1), .c = {}};
  problem.type_a = problem.type_b = problem.type_c = problem.accumulate = ScalarType::f64;
  problem.b.values = {large, large, -large, -large};
  for (const double got : {kInfinity, -kInfinity, 0.0}) {
    EXPECT_TRUE(gemm(problem).accepts(0, 0, got)) << got;
  }
  problem.b.values = {kInfinity, 1.0, 2.0, 3.0};
  EXPECT_FALSE(gemm(problem).accepts(0, 0, -kInfinity));
  EXPECT_TRUE(gemm(problem).accepts(0, 0, kInfinity));
}

TEST(SpecialValues, ScalingCCanOverflowInF64) {
  // The result is -infinity, or NaN because -2 times the least f64 number is infinite.
  Gemm problem{.a = Matrix(1, 1, -kInfinity),
               .b = Matrix(1, 1, 1.0),
               .c = Matrix(1, 1, -DBL_MAX),
               .beta = -2.0};
  problem.type_a = problem.type_b = problem.type_c = problem.accumulate = ScalarType::f64;
  const Expected expected = gemm(problem);
  EXPECT_TRUE(expected.accepts(0, 0, kQuietNan));
  EXPECT_TRUE(expected.accepts(0, 0, -kInfinity));
}

TEST(SpecialValues, CorrectKernelsPassWithAnyValues) {
  const std::vector<double> choice = {kQuietNan, kInfinity, -kInfinity, kLargest, -kLargest,
                                      0x1.4p127, 0x1p-126,  0.0,        1.0,      -3.0};
  std::mt19937_64 random(21);
  for (int round = 0; round < 300; ++round) {
    const auto k = static_cast<std::int64_t>(random() % 6 + 1);
    Gemm problem{.a = Matrix(4, k), .b = Matrix(k, 4), .c = Matrix(4, 4)};
    problem.alpha = std::vector{1.0, -1.0, 0.5, 3.0}[random() % 4];
    problem.beta = std::vector{0.0, 1.0, 0.3}[random() % 3];
    // Two thirds of the values are ordinary, so that every mixture occurs.
    for (Matrix* matrix : {&problem.a, &problem.b, &problem.c}) {
      for (double& value : matrix->values) {
        value = random() % 3 == 0 ? choice[random() % choice.size()]
                                  : static_cast<double>(random() % 9) - 4.0;
      }
    }
    const Expected expected = gemm(problem);
    for (const simulated::Kernel& kernel : simulated::every_kernel()) {
      const Matrix got = simulated::run(kernel, problem, random());
      for (std::int64_t i = 0; i < 4; ++i) {
        for (std::int64_t j = 0; j < 4; ++j) {
          ASSERT_TRUE(expected.accepts(i, j, got(i, j)))
              << "round " << round << ", " << simulated::describe(kernel) << ": got " << got(i, j)
              << ", expected " << expected.value(i, j) << " +- " << expected.tolerance(i, j)
              << terms(problem, i, j);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
