#include "reference/gemm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "reference/certain_sums.hpp"
#include "tests/reference/simulated_kernels.hpp"

namespace warpcheck::reference {
namespace {

// __extension__ silences -Wpedantic; a using declaration does not accept it.
__extension__ typedef __int128 Integer;  // NOLINT(modernize-use-using)
__extension__ typedef __float128 Quad;   // 113 bits NOLINT(modernize-use-using)

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix integers(std::mt19937_64& random, std::int64_t rows, std::int64_t columns, int range) {
  Matrix matrix(rows, columns);
  std::uniform_int_distribution<int> magnitude(1, range);
  for (double& value : matrix.values) value = magnitude(random) * (random() % 2 != 0 ? 1 : -1);
  return matrix;
}

Matrix reals(std::mt19937_64& random, std::int64_t rows, std::int64_t columns) {
  Matrix matrix(rows, columns);
  std::normal_distribution<double> normal;
  for (double& value : matrix.values) value = static_cast<float>(normal(random));
  return matrix;
}

Integer exact_element(const Gemm& p, std::int64_t i, std::int64_t j) {
  Integer sum = 0;
  for (std::int64_t k = 0; k < p.a.columns; ++k) {
    sum += static_cast<Integer>(p.a(i, k)) * static_cast<Integer>(p.b(k, j));
  }
  return static_cast<Integer>(p.alpha) * sum +
         static_cast<Integer>(p.beta) * static_cast<Integer>(p.c(i, j));
}

TEST(ReferenceGemm, LatticeEqualsIntegerArithmetic) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const auto m = static_cast<std::int64_t>(random() % 30 + 1);
    const auto n = static_cast<std::int64_t>(random() % 30 + 1);
    const auto k = static_cast<std::int64_t>(random() % 2000 + 1);
    Gemm problem{.a = integers(random, m, k, 16),
                 .b = integers(random, k, n, 16),
                 .c = integers(random, m, n, 1000),
                 .alpha = static_cast<double>(random() % 7) - 3.0,
                 .beta = static_cast<double>(random() % 7) - 3.0};
    const Expected expected = gemm(problem);
    ASSERT_EQ(expected.bound, Bound::exact);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        ASSERT_TRUE(static_cast<Integer>(expected.value(i, j)) == exact_element(problem, i, j));
        ASSERT_EQ(expected.value(i, j), std::trunc(expected.value(i, j)));
        ASSERT_EQ(expected.tolerance(i, j), 0.0);
      }
    }
  }
}

TEST(ReferenceGemm, LatticeIsExactInEveryOrderOfSummation) {
  std::mt19937_64 random(2);
  for (const simulated::Kernel& kernel : simulated::every_kernel()) {
    Gemm problem{.a = integers(random, 5, 333, 57),
                 .b = integers(random, 333, 4, 57),
                 .c = integers(random, 5, 4, 9),
                 .alpha = -3.0,
                 .beta = 0.5};
    // A common power of two changes only the exponents.
    for (double& value : problem.a.values) value = std::ldexp(value, -37);
    for (double& value : problem.c.values) value = std::ldexp(value, -36);
    const Expected expected = gemm(problem);
    ASSERT_EQ(expected.bound, Bound::exact);
    EXPECT_EQ(simulated::run(kernel, problem).values, expected.value.values)
        << simulated::describe(kernel);
  }
}

TEST(ReferenceGemm, ExactnessEndsAt24Bits) {
  const auto one_term = [](double a, double b) {
    Gemm problem{.a = Matrix(1, 1, a), .b = Matrix(1, 1, b), .c = {}};
    return gemm(problem).bound;
  };
  EXPECT_EQ(one_term(4096.0, 4096.0), Bound::exact);
  EXPECT_EQ(one_term(4097.0, 4096.0), Bound::exact);      // an integer times 2^12
  EXPECT_EQ(one_term(4097.0, 4097.0), Bound::any_order);  // needs 25 bits
  EXPECT_EQ(one_term(4097.0 * 0x1p-30, 4095.0), Bound::exact);

  // Two terms whose sum needs 25 bits, though each needs 24.
  Gemm sum{.a = Matrix(1, 2, 1.0), .b = Matrix(2, 1, 16777215.0), .c = {}};
  EXPECT_EQ(gemm(sum).bound, Bound::any_order);
  sum.b(1, 0) = 1.0;
  EXPECT_EQ(gemm(sum).bound, Bound::exact);

  // beta C and its step count like any other term.
  Gemm onto_c{.a = Matrix(1, 1, 1.0), .b = Matrix(1, 1, 16777215.0), .c = Matrix(1, 1, 1.0)};
  onto_c.beta = 1.0;
  EXPECT_EQ(gemm(onto_c).bound, Bound::exact);
  onto_c.beta = 0.5;
  EXPECT_EQ(gemm(onto_c).bound, Bound::any_order);
}

TEST(ReferenceGemm, ExactnessIsDecidedElementByElement) {
  // Row 0 is on the lattice; row 1 has a value that is too large for it.
  Gemm problem{.a = Matrix(2, 3, 1.0), .b = Matrix(3, 2, 3.0), .c = {}};
  problem.a(1, 1) = 0x1p60;
  const Expected expected = gemm(problem);
  EXPECT_EQ(expected.bound, Bound::any_order);
  EXPECT_EQ(expected.tolerance(0, 0), 0.0);
  EXPECT_EQ(expected.value(0, 0), 9.0);
  EXPECT_GT(expected.tolerance(1, 0), 0.0);
}

TEST(ReferenceGemm, TinyIntegersAreNotExactBelowTheSubnormalStep) {
  Gemm problem{.a = Matrix(1, 1, 0x1p-80), .b = Matrix(1, 1, 0x1p-80), .c = {}};
  const Expected expected = gemm(problem);
  EXPECT_NE(expected.bound, Bound::exact);
  EXPECT_TRUE(expected.accepts(0, 0, 0.0));
  EXPECT_FALSE(expected.accepts(0, 0, 0x1p-148));
}

TEST(ReferenceGemm, ValueAgreesWithQuadPrecision) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    const auto k = static_cast<std::int64_t>(random() % 900 + 1);
    Gemm problem{.a = reals(random, 7, k), .b = reals(random, k, 9), .c = reals(random, 7, 9)};
    problem.alpha = -0.7F;
    problem.beta = 1.3F;
    const Expected expected = gemm(problem);
    for (std::int64_t i = 0; i < 7; ++i) {
      for (std::int64_t j = 0; j < 9; ++j) {
        Quad sum = 0;
        Quad magnitude = 0;
        for (std::int64_t term = 0; term < k; ++term) {
          const Quad product = static_cast<Quad>(problem.a(i, term)) * problem.b(term, j);
          sum += product;
          magnitude += product < 0 ? -product : product;
        }
        const Quad exact = sum * problem.alpha + static_cast<Quad>(problem.beta) * problem.c(i, j);
        const double error = std::abs(static_cast<double>(exact - expected.value(i, j)));
        const double scale = static_cast<double>(magnitude) + 2.0 * std::abs(problem.c(i, j));
        const double rounded_at = CertainSums(k).value_growth();
        ASSERT_LE(error, (static_cast<double>(k + 4) * 0x1p-53 + rounded_at) * scale);
      }
    }
  }
}

TEST(ReferenceGemm, BetaZeroIgnoresC) {
  Gemm problem{.a = Matrix(2, 3, 2.0), .b = Matrix(3, 2, 5.0), .c = Matrix(2, 2, kNan)};
  EXPECT_EQ(gemm(problem).value.values, (std::vector<double>{30.0, 30.0, 30.0, 30.0}));
  problem.c = Matrix();
  EXPECT_EQ(gemm(problem).value.values, (std::vector<double>{30.0, 30.0, 30.0, 30.0}));
}

TEST(ReferenceGemm, AlphaZeroIgnoresAAndB) {
  Gemm problem{.a = Matrix(2, 3, kNan), .b = Matrix(3, 2, HUGE_VAL), .c = Matrix(2, 2, 0.3F)};
  problem.alpha = 0.0;
  problem.beta = -1.0;
  const Expected expected = gemm(problem);
  EXPECT_EQ(expected.bound, Bound::exact);
  EXPECT_EQ(expected.value.values, std::vector<double>(4, -static_cast<double>(0.3F)));
  problem.beta = 0.0;
  EXPECT_EQ(gemm(problem).value.values, std::vector<double>(4, 0.0));
}

TEST(ReferenceGemm, KZeroLeavesBetaC) {
  Gemm problem{.a = Matrix(2, 0), .b = Matrix(0, 2), .c = Matrix(2, 2, 0.3F)};
  problem.beta = 1.0;
  const Expected copy = gemm(problem);
  EXPECT_EQ(copy.bound, Bound::exact);
  EXPECT_EQ(copy.value(1, 1), static_cast<double>(0.3F));

  problem.beta = 0.7F;  // one rounding
  const Expected scaled = gemm(problem);
  const double correct = static_cast<double>(0.7F * 0.3F);
  EXPECT_TRUE(scaled.accepts(0, 0, correct));
  EXPECT_FALSE(scaled.accepts(0, 0, std::nextafter(static_cast<float>(correct), 1.0F)));

  problem.beta = 0.0;
  EXPECT_EQ(gemm(problem).value(0, 1), 0.0);
  EXPECT_EQ(gemm(problem).bound, Bound::exact);
}

TEST(ReferenceGemm, EmptyProductHasNoElements) {
  EXPECT_TRUE(gemm({.a = Matrix(0, 3), .b = Matrix(3, 2), .c = {}}).value.values.empty());
  EXPECT_TRUE(gemm({.a = Matrix(3, 2), .b = Matrix(2, 0), .c = {}}).value.values.empty());
}

TEST(ReferenceGemm, ScalarsAreRoundedToTheAccumulator) {
  Gemm problem{.a = Matrix(1, 1, 1.0), .b = Matrix(1, 1, 1.0), .c = {}};
  problem.alpha = 0.1;
  EXPECT_EQ(gemm(problem).value(0, 0), static_cast<double>(0.1F));
}

TEST(ReferenceGemm, NarrowOutputIsTheExactValueRoundedOnce) {
  Gemm problem{.a = Matrix(1, 1, 3.0), .b = Matrix(1, 1, 683.0), .c = {}};
  problem.type_c = ScalarType::f16;
  const Expected expected = gemm(problem);
  EXPECT_EQ(expected.bound, Bound::exact);
  EXPECT_EQ(expected.value(0, 0), 2048.0);  // 2049, a tie
}

TEST(ReferenceGemm, ErrorNamesTheExtentsThatDisagree) {
  const auto message = [](const Gemm& problem) -> std::string {
    try {
      (void)gemm(problem);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.a = Matrix(2, 3), .b = Matrix(4, 5), .c = {}}),
            "reference: A is 2 x 3 and B 4 x 5, expected the columns of A to equal the rows of B");
  EXPECT_EQ(message({.a = Matrix(2, 3), .b = Matrix(3, 5), .c = Matrix(2, 4), .beta = 1.0}),
            "reference: C is 2 x 4, expected 2 x 5");
  EXPECT_EQ(message({.a = {}, .b = {}, .c = {}, .alpha = HUGE_VAL}),
            "reference: alpha is inf and beta 0, expected finite scalars");
  Gemm wide{.a = Matrix(1, 1, 65536.0), .b = Matrix(1, 1, 65537.0), .c = {}};
  wide.type_c = wide.accumulate = ScalarType::s32;
  EXPECT_EQ(message(wide),
            "reference: partial sums up to 4.29503e+09 in s32, expected at most 2.14748e+09");
}

}  // namespace
}  // namespace warpcheck::reference
