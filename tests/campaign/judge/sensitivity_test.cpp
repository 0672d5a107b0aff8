#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "campaign/judge/judge.hpp"
#include "tests/campaign/judge/cases.hpp"

namespace warpcheck::campaign::judge {
namespace {

using reference::Matrix;

constexpr double kQuietNan = std::numeric_limits<double>::quiet_NaN();

double sensitivity_of(const reference::Gemm& problem, const Matrix* prefill = nullptr) {
  return sensitivity(problem, reference::gemm(problem), prefill);
}

/// Computes the sensitivity directly from its definition.
double share_of_visible_terms(const reference::Gemm& problem) {
  const reference::Expected expected = reference::gemm(problem);
  int visible = 0;
  for (std::int64_t k = 0; k < problem.a.columns; ++k) {
    bool seen = false;
    for (std::int64_t i = 0; i < problem.a.rows; ++i) {
      for (std::int64_t j = 0; j < problem.b.columns; ++j) {
        const double lost = std::abs(static_cast<float>(problem.alpha)) *
                            std::abs(problem.a(i, k) * problem.b(k, j));
        seen =
            seen || (std::isfinite(expected.value(i, j)) && lost > 2.0 * expected.tolerance(i, j));
      }
    }
    visible += seen ? 1 : 0;
  }
  return visible / static_cast<double>(problem.a.columns);
}

TEST(Sensitivity, IsTheShareOfVisibleTerms) {
  std::mt19937_64 random(41);
  double least = 1.0;
  for (int round = 0; round < 30; ++round) {
    for (const Recipe recipe : kRecipes) {
      const reference::Gemm problem =
          generate_problem(recipe, static_cast<std::int64_t>(random() % 70 + 1),
                           static_cast<std::int64_t>(random() % 70 + 1),
                           static_cast<std::int64_t>(random() % 90 + 1), random(),
                           round % 2 == 0 ? 1.0 : 0.3, round % 3 == 0 ? 1.0 : 0.0);
      const double share = share_of_visible_terms(problem);
      least = std::min(least, share);
      ASSERT_EQ(sensitivity_of(problem), share) << text(recipe);
    }
  }
  EXPECT_LT(least, 0.5);  // the cases include some with a low sensitivity
}

TEST(Sensitivity, TheOmissionOfAVisibleTermIsDetected) {
  std::mt19937_64 random(42);
  for (const Recipe recipe : kRecipes) {
    for (int round = 0; round < 4; ++round) {
      const std::int64_t depth = 40;
      const reference::Gemm problem = generate_problem(recipe, 6, 7, depth, random(), 0.9);
      const reference::Expected expected = reference::gemm(problem);
      int caught = 0;
      for (std::int64_t k = 0; k < depth; ++k) {
        const Judgement judgement = judge(problem, expected, without_terms(problem, k, k + 1));
        caught += judgement.passed() ? 0 : 1;
      }
      EXPECT_GE(caught, std::lround(sensitivity(problem, expected) * depth)) << text(recipe);
      EXPECT_GT(caught, 0);
    }
  }
}

TEST(Sensitivity, IsOneOnTheLatticeForEveryK) {
  for (const std::int64_t k : {1, 16, 5000}) {
    EXPECT_EQ(sensitivity_of(generate_problem(Recipe::lattice, 1, 1, k, 3)), 1.0);
  }
}

TEST(Sensitivity, IsOneForSpikesWhereNormalDataHaveLess) {
  EXPECT_EQ(sensitivity_of(generate_problem(Recipe::spikes, 8, 8, 20000, 3)), 1.0);
  EXPECT_LT(sensitivity_of(generate_problem(Recipe::normal, 8, 8, 20000, 3)), 0.9);
}

TEST(Sensitivity, IsPositiveForEveryRecipeAtSmallSizes) {
  std::mt19937_64 random(43);
  for (const Recipe recipe : kRecipes) {
    for (int round = 0; round < 60; ++round) {
      const auto m = static_cast<std::int64_t>(random() % 4 + 1);
      const auto n = static_cast<std::int64_t>(random() % 4 + 1);
      const auto k = static_cast<std::int64_t>(random() % 300 + 1);
      EXPECT_GT(sensitivity_of(generate_problem(recipe, m, n, k, random(), -0.7, 1.0)), 0.0)
          << text(recipe) << ' ' << m << 'x' << n << 'x' << k;
    }
  }
}

TEST(Sensitivity, IsZeroForPositiveDataWithANarrowOutput) {
  std::mt19937_64 random(44);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  reference::Gemm problem{.a = Matrix(8, 1024), .b = Matrix(1024, 8), .c = {}};
  for (double& value : problem.a.values) value = uniform(random);
  for (double& value : problem.b.values) value = uniform(random);
  EXPECT_EQ(sensitivity_of(problem), 1.0);
  problem.type_c = ScalarType::bf16;
  EXPECT_EQ(sensitivity_of(problem), 0.0);
}

TEST(Sensitivity, DoesNotCountATermOfZeros) {
  reference::Gemm problem = generate_problem(Recipe::lattice, 4, 4, 10, 1);
  for (std::int64_t j = 0; j < 4; ++j) problem.b(3, j) = 0.0;
  EXPECT_EQ(sensitivity_of(problem), 0.9);
  for (double& value : problem.a.values) value = 0.0;
  EXPECT_EQ(sensitivity_of(problem), 0.0);
}

TEST(Sensitivity, WithoutTermsItDependsOnThePrefill) {
  const Matrix poison(3, 3, kQuietNan);
  const Matrix zeros(3, 3, 0.0);
  reference::Gemm problem = generate_problem(Recipe::normal, 3, 3, 0, 1);
  EXPECT_EQ(sensitivity_of(problem), 0.0);  // the prefill is unknown
  EXPECT_EQ(sensitivity_of(problem, &zeros), 0.0);
  EXPECT_EQ(sensitivity_of(problem, &poison), 1.0);
  problem.beta = 1.0;  // D = C: an unwritten D is correct, a zeroed D is wrong
  EXPECT_EQ(sensitivity_of(problem, &problem.c), 1.0);
  problem.beta = 0.5;
  EXPECT_EQ(sensitivity_of(problem, &problem.c), 1.0);

  reference::Gemm ignored = generate_problem(Recipe::normal, 3, 3, 5, 1);
  ignored.alpha = 0.0;
  EXPECT_EQ(sensitivity_of(ignored, &zeros), 0.0);
  EXPECT_EQ(sensitivity_of(ignored, &poison), 1.0);
}

}  // namespace
}  // namespace warpcheck::campaign::judge
