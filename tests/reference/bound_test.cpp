#include "reference/bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "reference/gemm.hpp"
#include "tests/reference/simulated_kernels.hpp"

namespace warpcheck::reference {
namespace {

using Generator = std::function<double(std::mt19937_64&, std::int64_t row, std::int64_t column)>;

Matrix fill(std::mt19937_64& random, std::int64_t rows, std::int64_t columns,
            const Generator& generate) {
  Matrix matrix(rows, columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      matrix(i, j) = static_cast<float>(generate(random, i, j));
    }
  }
  return matrix;
}

double normal(std::mt19937_64& random, std::int64_t, std::int64_t) {
  return std::normal_distribution<double>()(random);
}
double positive(std::mt19937_64& random, std::int64_t, std::int64_t) {
  return std::uniform_real_distribution<double>(0.0, 1.0)(random);
}
double wide(std::mt19937_64& random, std::int64_t, std::int64_t) {
  return std::ldexp(normal(random, 0, 0), static_cast<int>(random() % 41) - 20);
}
double subnormal(std::mt19937_64& random, std::int64_t, std::int64_t) {
  return std::ldexp(normal(random, 0, 0), -70 - static_cast<int>(random() % 20));
}
double sparse(std::mt19937_64& random, std::int64_t, std::int64_t) {
  const double value = normal(random, 0, 0);
  return random() % 16 == 0 ? value : 0.0;
}
double constant(std::mt19937_64&, std::int64_t, std::int64_t) { return 0.1; }

/// Rounds to half of the significant bits of f32, so that products are exact.
double shortened(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 12)), exponent - 12);
}
double short_positive(std::mt19937_64& random, std::int64_t row, std::int64_t column) {
  return shortened(positive(random, row, column));
}
double short_wide(std::mt19937_64& random, std::int64_t row, std::int64_t column) {
  return shortened(wide(random, row, column));
}
double short_sparse(std::mt19937_64& random, std::int64_t row, std::int64_t column) {
  return shortened(sparse(random, row, column));
}

struct Data {
  std::string name;
  Generator generate;
  bool mean_zero;
};

const std::vector<Data>& every_data() {
  static const std::vector<Data> data = {{"normal", normal, true},
                                         {"wide", wide, true},
                                         {"positive", positive, false},
                                         {"subnormal", subnormal, true},
                                         {"sparse", sparse, true},
                                         {"constant", constant, false},
                                         {"short positive", short_positive, false},
                                         {"short wide", short_wide, true},
                                         {"short sparse", short_sparse, true}};
  return data;
}

/// The largest error of an element in units of its tolerance.
double worst_ratio(const Expected& expected, const Matrix& got) {
  double worst = 0.0;
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    const double error = std::abs(got.values[i] - expected.value.values[i]);
    if (error != 0.0) worst = std::max(worst, error / expected.tolerance.values[i]);
  }
  return worst;
}

TEST(Bound, CountsProductsThatAreNotZero) {
  Matrix a(2, 4);
  Matrix b(4, 2);
  a(0, 1) = a(1, 0) = a(1, 3) = 2.0;
  b(0, 0) = b(1, 0) = b(2, 0) = 3.0;
  EXPECT_EQ(most_terms(a, b), 2);  // A's second row has two terms
  b = Matrix(4, 2);
  b(1, 1) = std::nan("");
  EXPECT_EQ(most_terms(a, b), 1);
  EXPECT_EQ(most_terms(a, Matrix(4, 2)), 0);
  EXPECT_EQ(most_terms(Matrix(2, 0), Matrix(0, 2)), 0);
}

TEST(Bound, OneNonzeroProductAllowsOneRounding) {
  constexpr double kUnit = 0x1p-24;
  Gemm problem;
  problem.a = Matrix(1, 1000);
  problem.b = Matrix(1000, 1, 1.0F / 3.0F);
  problem.a(0, 777) = 1.0F / 7.0F;
  const double product = problem.a(0, 777) * problem.b(777, 0);
  const Expected expected = gemm(problem);
  EXPECT_NEAR(expected.tolerance(0, 0), kUnit * product, 1e-4 * kUnit * product);
  // Rounding to nearest is correct. Rounding toward zero is not: it loses 0.8 of a unit here.
  const float nearest = static_cast<float>(product);
  const float cut = nearest > product ? std::nextafterf(nearest, 0.0F) : nearest;
  EXPECT_TRUE(expected.accepts(0, 0, nearest));
  EXPECT_EQ(expected.accepts(0, 0, cut), std::abs(cut - product) <= kUnit * product);
}

TEST(Bound, TwoExactProductsAllowOneRounding) {
  constexpr double kUnit = 0x1p-24;
  Gemm problem;
  problem.a = Matrix(1, 1000);
  problem.b = Matrix(1000, 1, shortened(1.0 / 3.0));
  problem.a(0, 3) = shortened(1.0 / 7.0);
  problem.a(0, 777) = shortened(1.0 / 9.0);
  const double sum = (problem.a(0, 3) + problem.a(0, 777)) * problem.b(0, 0);
  EXPECT_NEAR(gemm(problem).tolerance(0, 0), kUnit * sum, 1e-4 * kUnit * sum);
  problem.alpha = 0.7;  // some kernels multiply A by it, so that products round
  const double scaled = 0.7 * sum;
  EXPECT_NEAR(gemm(problem).tolerance(0, 0), 3 * kUnit * scaled, 1e-4 * kUnit * scaled);
  problem.alpha = 1.0;
  problem.b(500, 0) = 1.0F / 3.0F;  // because of one wide value some products may round
  EXPECT_NEAR(gemm(problem).tolerance(0, 0), 2 * kUnit * sum, 1e-4 * kUnit * sum);
}

TEST(Bound, CorrectKernelsStayInside) {
  for (const Data& data : every_data()) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 12; ++round) {
      const auto k = static_cast<std::int64_t>(round < 4 ? round + 1 : random() % 700 + 1);
      Gemm problem{.a = fill(random, 4, k, data.generate),
                   .b = fill(random, k, 5, data.generate),
                   .c = fill(random, 4, 5, data.generate)};
      problem.mean_zero = data.mean_zero;
      problem.alpha = std::vector{1.0, -1.0, 0.7, 1e-3}[random() % 4];
      problem.beta = std::vector{0.0, 1.0, -1.7}[random() % 3];
      const Expected expected = gemm(problem);
      for (const simulated::Kernel& kernel : simulated::every_kernel()) {
        const Matrix got = simulated::run(kernel, problem, random());
        for (std::int64_t i = 0; i < got.rows; ++i) {
          for (std::int64_t j = 0; j < got.columns; ++j) {
            ASSERT_TRUE(expected.accepts(i, j, got(i, j)))
                << data.name << ", k = " << k << ", alpha " << problem.alpha << ", beta "
                << problem.beta << ", " << simulated::describe(kernel) << ": got " << got(i, j)
                << ", expected " << expected.value(i, j) << " +- " << expected.tolerance(i, j);
          }
        }
      }
    }
  }
}

TEST(Bound, CorrectKernelsStayInsideThatOfTwoExactProducts) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 200; ++round) {
    const auto k = static_cast<std::int64_t>(random() % 60 + 2);
    Gemm problem{.a = Matrix(4, k), .b = fill(random, k, 5, short_wide), .c = {}};
    for (std::int64_t i = 0; i < 4; ++i) {
      for (int kept = 0; kept < 2; ++kept) {
        problem.a(i, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(k))) =
            short_wide(random, 0, 0);
      }
    }
    problem.mean_zero = true;
    const Expected expected = gemm(problem);
    for (const simulated::Kernel& kernel : simulated::every_kernel()) {
      ASSERT_LE(worst_ratio(expected, simulated::run(kernel, problem, random())), 1.0)
          << "k = " << k << ", " << simulated::describe(kernel);
    }
  }
}

TEST(Bound, AnyOrderFollowsJeannerodAndRump) {
  // With irregular operands, alpha = 1 and beta = 0 the bound is K u S plus the error of the
  // reference.
  std::mt19937_64 random(12);
  const Gemm problem{.a = fill(random, 1, 50, normal), .b = fill(random, 50, 1, normal), .c = {}};
  double magnitude = 0.0;
  for (std::int64_t k = 0; k < 50; ++k) magnitude += std::abs(problem.a(0, k) * problem.b(k, 0));
  const Expected expected = gemm(problem);
  EXPECT_EQ(expected.bound, Bound::any_order);
  EXPECT_NEAR(expected.tolerance(0, 0) / (50 * 0x1p-24 * magnitude), 1.0, 2e-6);
}

TEST(Bound, SplitSumHasShorterPath) {
  EXPECT_EQ(longest_path(1000, 1), 1000);
  EXPECT_EQ(longest_path(1000, 4), 253);
  EXPECT_EQ(longest_path(1001, 4), 254);
  EXPECT_EQ(longest_path(3, 8), 3);  // never longer than without a split
  EXPECT_EQ(longest_path(0, 4), 0);
}

TEST(Bound, SplitKernelsStayInsideTheirBound) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 20; ++round) {
    const auto k = static_cast<std::int64_t>(random() % 900 + 1);
    Gemm problem{.a = fill(random, 3, k, positive), .b = fill(random, k, 3, positive), .c = {}};
    problem.split_k = 4;
    const Expected expected = gemm(problem);
    for (const bool fused : {false, true}) {
      const simulated::Kernel kernel{simulated::Sum::split, fused, simulated::Scale::at_the_end, 4};
      EXPECT_LE(worst_ratio(expected, simulated::run(kernel, problem)), 1.0);
    }
  }
}

TEST(Bound, StatisticalFollowsHighamAndMary) {
  // lambda = sqrt(2 ln(2 * 10^6 / 10^-12)) = 9.1804; times sqrt(100) u.
  EXPECT_NEAR(statistical_growth(100, 1e6, 1e-12, 0x1p-24) / 0x1p-24, 91.804, 0.001);
}

TEST(Bound, StatisticalRequiresMeanZeroAndATighterBound) {
  std::mt19937_64 random(14);
  const auto bound_at = [&](std::int64_t k, bool mean_zero) {
    Gemm problem{.a = fill(random, 3, k, normal), .b = fill(random, k, 3, normal), .c = {}};
    problem.mean_zero = mean_zero;
    return gemm(problem);
  };
  EXPECT_EQ(bound_at(50, true).bound, Bound::any_order);
  EXPECT_EQ(bound_at(2000, true).bound, Bound::statistical);
  EXPECT_EQ(bound_at(2000, false).bound, Bound::any_order);
}

TEST(Bound, StatisticalHasThreefoldMarginOnSignedData) {
  // The worst error over every order on 60 problems stays below a third of the bound, which admits
  // one failure in 10^12.
  double worst = 0.0;
  for (const Generator& generate : {Generator(normal), Generator(wide)}) {
    std::mt19937_64 random(15);
    for (int round = 0; round < 30; ++round) {
      const std::int64_t k = 200 << (round % 4);
      Gemm problem{.a = fill(random, 4, k, generate), .b = fill(random, k, 4, generate), .c = {}};
      problem.mean_zero = true;
      const Expected expected = gemm(problem);
      ASSERT_EQ(expected.bound, Bound::statistical);
      for (const simulated::Kernel& kernel : simulated::every_kernel()) {
        if (kernel.scale != simulated::Scale::at_the_end) continue;
        worst = std::max(worst, worst_ratio(expected, simulated::run(kernel, problem, random())));
      }
    }
  }
  RecordProperty("worst_ratio", std::to_string(worst));
  EXPECT_LT(worst, 1.0 / 3.0);
  EXPECT_GT(worst, 1e-4);
}

TEST(Bound, StatisticalRejectsCorrectKernelsOnConstantData) {
  // This is why mean_zero is required: equal products have equal rounding errors, which add up.
  std::mt19937_64 random(16);
  Gemm problem{
      .a = fill(random, 1, 20000, constant), .b = fill(random, 20000, 1, constant), .c = {}};
  problem.mean_zero = true;
  const Matrix got = simulated::run({}, problem);
  EXPECT_GT(worst_ratio(gemm(problem), got), 1.0);
  problem.mean_zero = false;
  EXPECT_LT(worst_ratio(gemm(problem), got), 1.0);
}

TEST(Bound, RunningFollowsThePrefixSums) {
  // Products 3, -3, 5 have prefixes 3, 0, 5: error u (3 + 3 + 5) + u (3 + 0 + 5).
  Matrix a(1, 3, 1.0);
  Matrix b(3, 1);
  b.values = {3.0, -3.0, 5.0};
  EXPECT_NEAR(running_error(a, b, 0x1p-24, 0.0)(0, 0), 19.0 * 0x1p-24, 1e-12);
}

TEST(Bound, AscendingKernelsStayInsideRunning) {
  for (const Data& data : every_data()) {
    std::mt19937_64 random(17);
    for (int round = 0; round < 10; ++round) {
      const auto k = static_cast<std::int64_t>(random() % 600 + 1);
      Gemm problem{
          .a = fill(random, 4, k, data.generate), .b = fill(random, k, 4, data.generate), .c = {}};
      problem.order = Order::ascending;
      const Expected expected = gemm(problem);
      if (expected.bound != Bound::exact) {
        EXPECT_EQ(expected.bound, Bound::running);
      }
      for (const bool fused : {false, true}) {
        const simulated::Kernel kernel{simulated::Sum::forward, fused,
                                       simulated::Scale::at_the_end};
        EXPECT_LE(worst_ratio(expected, simulated::run(kernel, problem)), 1.0) << data.name;
      }
    }
  }
}

TEST(Bound, RunningIsTenTimesTighterOnLongSignedSums) {
  std::mt19937_64 random(18);
  Gemm problem{.a = fill(random, 1, 4000, normal), .b = fill(random, 4000, 1, normal), .c = {}};
  const double any_order = gemm(problem).tolerance(0, 0);
  problem.order = Order::ascending;
  EXPECT_LT(gemm(problem).tolerance(0, 0), any_order / 10.0);
}

TEST(Bound, FivePercentErrorFailsInEveryElement) {
  std::mt19937_64 random(19);
  Gemm problem{.a = fill(random, 20, 500, positive), .b = fill(random, 500, 20, positive), .c = {}};
  const Expected expected = gemm(problem);
  for (std::int64_t i = 0; i < 20; ++i) {
    for (std::int64_t j = 0; j < 20; ++j) {
      EXPECT_FALSE(expected.accepts(i, j, expected.value(i, j) * 1.05));
    }
  }
}

TEST(Bound, NarrowOutputAddsItsRounding) {
  std::mt19937_64 random(20);
  Gemm problem{.a = fill(random, 6, 40, normal), .b = fill(random, 40, 6, normal), .c = {}};
  problem.type_c = ScalarType::bf16;
  const Expected expected = gemm(problem);
  Gemm full = problem;
  full.type_c = ScalarType::f32;
  const Expected unrounded = gemm(full);
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_NEAR(expected.tolerance.values[i],
                0x1p-8 * std::abs(expected.value.values[i]) + unrounded.tolerance.values[i],
                0.01 * unrounded.tolerance.values[i] + 1e-30);
  }
}

}  // namespace
}  // namespace warpcheck::reference
