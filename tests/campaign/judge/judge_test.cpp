#include "campaign/judge/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "report/finding/diagnosis_text.hpp"
#include "tests/campaign/judge/cases.hpp"

namespace warpcheck::campaign::judge {
namespace {

using reference::Matrix;

constexpr double kJudgeNan = std::numeric_limits<double>::quiet_NaN();

Judgement compare_with_reference(const reference::Gemm& problem, const Matrix& got,
                                 const Matrix* prefill = nullptr) {
  return judge(problem, reference::gemm(problem), got, prefill);
}

// The judge accepts correct kernels.

TEST(Judge, AcceptsCorrectKernelsOnEveryRecipe) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 12; ++round) {
    for (const Recipe recipe : kRecipes) {
      const auto m = static_cast<std::int64_t>(random() % 5 + 1);
      const auto n = static_cast<std::int64_t>(random() % 5 + 1);
      const auto k = static_cast<std::int64_t>(random() % (round < 6 ? 20 : 400));
      const double alpha = std::vector{1.0, -1.0, 0.0, 0.3, -2.5}[random() % 5];
      const double beta = std::vector{0.0, 1.0, -1.0, 0.7}[random() % 4];
      const Case line = case_of(recipe, m, n, k, random(), alpha, beta);
      const reference::Gemm problem = generate_problem(line);
      const reference::Expected expected = reference::gemm(problem);
      for (const simulated::Kernel& kernel : simulated::every_kernel()) {
        const Judgement judgement =
            judge(problem, expected, simulated::run(kernel, problem, random()));
        ASSERT_TRUE(judgement.passed())
            << text(recipe) << ' ' << m << 'x' << n << 'x' << k << " seed " << line.seed
            << " alpha " << alpha << " beta " << beta << ", " << simulated::describe(kernel) << ": "
            << judgement.first->got << " for " << judgement.first->expected << " +- "
            << judgement.first->tolerance;
        ASSERT_LE(judgement.error_over_bound, 1.0);
      }
    }
  }
}

TEST(Judge, AcceptsLongSumsOfCorrectKernels) {
  std::mt19937_64 random(32);
  for (const Recipe recipe : kRecipes) {
    const reference::Gemm problem = generate_problem(recipe, 2, 3, 5000, random());
    const reference::Expected expected = reference::gemm(problem);
    for (const simulated::Kernel& kernel : simulated::every_kernel()) {
      if (kernel.scale != simulated::Scale::at_the_end) continue;
      EXPECT_TRUE(judge(problem, expected, simulated::run(kernel, problem, random())).passed())
          << text(recipe) << ", " << simulated::describe(kernel);
    }
  }
}

// The judge rejects wrong results that weaker oracles accept.

TEST(Judge, NanIsWrong) {
  for (const Recipe recipe : kRecipes) {
    const reference::Gemm problem = generate_problem(recipe, 5, 6, 7, 1);
    const Judgement judgement = compare_with_reference(problem, Matrix(5, 6, kJudgeNan));
    EXPECT_FALSE(judgement.passed()) << text(recipe);
    EXPECT_EQ(judgement.error_over_bound, HUGE_VAL);
  }
}

TEST(Judge, AFiniteValueWhereNanBelongsIsWrong) {
  reference::Gemm problem = generate_problem(Recipe::normal, 5, 6, 7, 1);
  const Matrix without_nan = correct_answer(problem);
  problem.a(2, 3) = kJudgeNan;
  const Judgement judgement = compare_with_reference(problem, without_nan);
  EXPECT_EQ(judgement.wrong, 6);
  EXPECT_EQ(judgement.first->row, 2);
}

TEST(Judge, ZerosAreWrongAgainstTinyValues) {
  reference::Gemm problem = generate_problem(Recipe::normal, 8, 8, 8, 1);
  for (double& value : problem.a.values) value *= 0x1p-50;
  for (double& value : problem.b.values) value *= 0x1p-50;
  const Judgement judgement = compare_with_reference(problem, Matrix(8, 8, 0.0));
  EXPECT_EQ(judgement.wrong, 64);
}

TEST(Judge, AnUnwrittenTileIsWrong) {
  for (const Recipe recipe : kRecipes) {
    const reference::Gemm problem = generate_problem(recipe, 128, 128, 64, 1);
    const Matrix prefill(128, 128, 12345.0);
    Matrix got = correct_answer(problem);
    for (std::int64_t i = 32; i < 48; ++i) {
      for (std::int64_t j = 64; j < 80; ++j) got(i, j) = prefill(i, j);
    }
    const Judgement judgement = compare_with_reference(problem, got, &prefill);
    EXPECT_GT(judgement.wrong, 200) << text(recipe);
    EXPECT_EQ(report::diagnosis_text(judgement.diagnosis),
              "the wrong elements lie in the 16 x 16 tile at C[32, 64]; "
              "D was not written there and holds what lay in it before")
        << text(recipe);
  }
}

TEST(Judge, AMissingLastTermIsWrongOnEveryRecipe) {
  std::mt19937_64 random(33);
  for (const Recipe recipe : kRecipes) {
    for (const std::int64_t k : {1, 2, 17, 513, 2049}) {
      const reference::Gemm problem = generate_problem(recipe, 9, 10, k, random());
      const Judgement judgement = compare_with_reference(problem, without_terms(problem, k - 1, k));
      EXPECT_FALSE(judgement.passed()) << text(recipe) << ", k = " << k;
    }
  }
}

TEST(Judge, TheResultOfAnEarlierProblemIsWrong) {
  for (const Recipe recipe : kRecipes) {
    const reference::Gemm before = generate_problem(recipe, 20, 21, 23, 1);
    const reference::Gemm now = generate_problem(recipe, 20, 21, 23, 2);
    EXPECT_FALSE(compare_with_reference(now, correct_answer(before)).passed()) << text(recipe);
  }
}

TEST(Judge, AResultEqualToThePrefillIsMistrusted) {
  const reference::Gemm problem = generate_problem(Recipe::lattice, 4, 4, 4, 1);
  const Matrix answer = correct_answer(problem);
  EXPECT_TRUE(compare_with_reference(problem, answer, &answer).mistrusted());
  const Matrix poison(4, 4, kJudgeNan);
  EXPECT_FALSE(compare_with_reference(problem, answer, &poison).mistrusted());
}

TEST(Judge, AnErrorOfFivePercentInOneElementIsWrong) {
  for (const Recipe recipe : {Recipe::lattice, Recipe::normal, Recipe::spikes, Recipe::onehot}) {
    const reference::Gemm problem = generate_problem(recipe, 30, 31, 500, 6);
    Matrix got = correct_answer(problem);
    // In the largest element, the rounding error is less than five percent.
    std::size_t largest = 0;
    for (std::size_t i = 0; i < got.values.size(); ++i) {
      if (std::abs(got.values[i]) > std::abs(got.values[largest])) largest = i;
    }
    got.values[largest] *= 1.05;
    const Judgement judgement = compare_with_reference(problem, got);
    EXPECT_EQ(judgement.wrong, 1) << text(recipe);
  }
}

TEST(Judge, OneUnitInTheLastPlaceIsWrongOnTheLattice) {
  const reference::Gemm problem = generate_problem(Recipe::lattice, 5, 6, 77, 1);
  Matrix got = correct_answer(problem);
  got(4, 2) = std::nextafter(static_cast<float>(got(4, 2)), HUGE_VALF);
  const Judgement judgement = compare_with_reference(problem, got);
  EXPECT_EQ(judgement.wrong, 1);
  EXPECT_EQ(judgement.error_over_bound, HUGE_VAL);
  EXPECT_EQ(report::diagnosis_text(judgement.diagnosis), "only C[4, 2] is wrong");
}

TEST(Judge, AcceptsZeroOfEitherSign) {
  const reference::Gemm problem{.a = Matrix(1, 2, 1.0), .b = Matrix(2, 1, 0.0), .c = {}};
  EXPECT_TRUE(compare_with_reference(problem, Matrix(1, 1, -0.0)).passed());
}

// A judgement reports these properties of a result.

TEST(WorstElements, KeepsTheEightWithTheLargestErrors) {
  const double nan = std::nan("");
  WorstElements worst;
  for (int i = 0; i < 20; ++i) worst.add({0, i, i % 2 == 0 ? i : -i, 0.0, 1.0});
  worst.add({1, 0, 5.0, 3.0, 0.0});  // equality was demanded: the ratio is infinite
  worst.add({1, 1, 5.0, 2.0, 0.0});
  worst.add({1, 2, nan, 2.0, 1.0});
  worst.add({1, 3, 8.0, 5.0, 0.0});
  worst.add({1, 4, 1.0, HUGE_VAL, 1.0});
  std::vector<std::int64_t> places;
  for (const WrongElement& one : worst.elements()) places.push_back(100 * one.row + one.column);
  EXPECT_EQ(places, (std::vector<std::int64_t>{102, 104, 101, 103, 100, 19, 18, 17}));
}

TEST(Judge, NamesTheFirstAndTheWorstElement) {
  const reference::Gemm problem = generate_problem(Recipe::normal, 5, 6, 7, 1);
  const reference::Expected expected = reference::gemm(problem);
  Matrix got = expected.value;
  got(1, 4) += 3.0 * expected.tolerance(1, 4);
  got(3, 0) += 50.0 * expected.tolerance(3, 0);
  got(4, 5) += 0.5 * expected.tolerance(4, 5);
  const Judgement judgement = judge(problem, expected, got);
  EXPECT_EQ(judgement.elements, 30);
  EXPECT_EQ(judgement.wrong, 2);
  EXPECT_EQ(judgement.first->row, 1);
  EXPECT_EQ(judgement.first->column, 4);
  const WrongElement& worst = judgement.worst.elements().at(0);
  EXPECT_EQ(worst.row, 3);
  EXPECT_EQ(worst.column, 0);
  EXPECT_EQ(worst.got, got(3, 0));
  EXPECT_EQ(worst.expected, expected.value(3, 0));
  EXPECT_EQ(worst.tolerance, expected.tolerance(3, 0));
  EXPECT_EQ(judgement.worst.elements().at(1).row, 1);
  EXPECT_NEAR(judgement.error_over_bound, 50.0, 0.01);
}

/// Errors of all sizes, also of tolerances below the normal numbers.
TEST(Judge, ReportsTheLargestErrorOfAllRows) {
  std::mt19937_64 random(7);
  const reference::Gemm problem = generate_problem(Recipe::normal, 40, 19, 3, 1);
  for (const double scale : {1.0, 0x1p-1050}) {
    for (int round = 0; round < 50; ++round) {
      reference::Expected expected = reference::gemm(problem);
      Matrix got(40, 19);
      double largest = 0.0;
      for (std::size_t i = 0; i < got.values.size(); ++i) {
        const auto part = static_cast<double>(random() % 1001) / 1000.0;
        expected.value.values[i] *= scale;
        expected.tolerance.values[i] = random() % 8 == 0 ? 0.0 : scale * 0x1p-20;
        const double error = part * expected.tolerance.values[i];
        got.values[i] = expected.value.values[i] + (random() % 5 == 0 ? error : 0.0);
        largest = std::max(largest, error_over_bound(got.values[i], expected.value.values[i],
                                                     expected.tolerance.values[i]));
      }
      EXPECT_EQ(judge(problem, expected, got).error_over_bound, largest);
    }
  }
}

TEST(Judge, AnEmptyResultPasses) {
  const Judgement judgement =
      compare_with_reference(generate_problem(Recipe::normal, 0, 6, 7, 1), Matrix(0, 6));
  EXPECT_TRUE(judgement.passed());
  EXPECT_FALSE(judgement.mistrusted());
}

TEST(Judge, RejectsAResultWithOtherExtents) {
  const reference::Gemm problem = generate_problem(Recipe::normal, 2, 3, 4, 1);
  EXPECT_THROW((void)compare_with_reference(problem, Matrix(3, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace warpcheck::campaign::judge
