#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "campaign/judge/diagnose.hpp"
#include "campaign/judge/pattern.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "tests/campaign/judge/cases.hpp"

namespace warpcheck::campaign::judge {
namespace {

using reference::Matrix;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string diagnosed(const reference::Gemm& problem, const Matrix& got,
                      const Matrix* prefill = nullptr) {
  return report::diagnosis_text(diagnose(problem, reference::gemm(problem), got, prefill));
}

class DiagnosisOn : public testing::TestWithParam<Recipe> {};

INSTANTIATE_TEST_SUITE_P(LatticeAndNormal, DiagnosisOn,
                         testing::Values(Recipe::lattice, Recipe::normal),
                         [](const auto& recipe) { return std::string(name(recipe.param)); });

TEST_P(DiagnosisOn, OmittedTermsAreNamed) {
  const reference::Gemm problem = generate_problem(GetParam(), 6, 5, 37, 1, 0.5, 2.0);
  EXPECT_EQ(diagnosed(problem, without_terms(problem, 36, 37)),
            "every element is wrong; the last term, k = 36, is missing");
  EXPECT_EQ(diagnosed(problem, without_terms(problem, 32, 37)),
            "every element is wrong; the last 5 terms, from k = 32 on, are missing");
  EXPECT_EQ(diagnosed(problem, without_terms(problem, 0, 1)),
            "every element is wrong; the first term, k = 0, is missing");
  EXPECT_EQ(diagnosed(problem, without_terms(problem, 0, 16)),
            "every element is wrong; the first 16 terms, up to k = 15, are missing");
  EXPECT_EQ(diagnosed(problem, without_terms(problem, 20, 21)),
            "every element is wrong; the term k = 20 is missing");
}

TEST_P(DiagnosisOn, ATermAddedTwiceIsNamed) {
  const reference::Gemm problem = generate_problem(GetParam(), 6, 5, 37, 1);
  Matrix got = correct_answer(problem);
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) got(i, j) += problem.a(i, 11) * problem.b(11, j);
  }
  EXPECT_EQ(diagnosed(problem, got), "every element is wrong; the term k = 11 was added twice");
}

TEST_P(DiagnosisOn, WrongUsesOfAlphaAndBetaAreNamed) {
  const auto answer_with = [](reference::Gemm problem, double alpha, double beta) {
    problem.alpha = alpha;
    problem.beta = beta;
    return correct_answer(problem);
  };
  const reference::Gemm problem = generate_problem(GetParam(), 6, 5, 37, 1, 3.0, -2.0);
  const std::string every = "every element is wrong; ";
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 3.0, 0.0)), every + "beta * C was not added");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 3.0, 1.0)), every + "C was added without beta");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 3.0, -4.0)),
            every + "beta * C was added twice");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 1.0, -2.0)), every + "alpha was not applied");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 9.0, -2.0)), every + "alpha was applied twice");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, -3.0, -2.0)),
            every + "the product has the opposite sign");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 6.0, -2.0)),
            every + "the product was added twice");
  EXPECT_EQ(diagnosed(problem, answer_with(problem, 0.0, -2.0)),
            every + "none of the terms was added");

  const reference::Gemm without_c = generate_problem(GetParam(), 6, 5, 37, 1, 3.0, 0.0);
  EXPECT_EQ(diagnosed(without_c, answer_with(without_c, 3.0, 1.0)),
            every + "C was added although beta is 0");
}

TEST_P(DiagnosisOn, ReadingNanFromCIsNamed) {
  reference::Gemm problem = generate_problem(GetParam(), 6, 5, 37, 1);
  Matrix got = correct_answer(problem);
  for (std::int64_t j = 0; j < 5; ++j) problem.c(5, j) = got(5, j) = kNan;
  EXPECT_EQ(diagnosed(problem, got),
            "the wrong elements lie in row 5, the last; "
            "C holds NaN or an infinity there and was read although beta is 0");
}

TEST_P(DiagnosisOn, DisplacedResultsAreNamed) {
  const reference::Gemm problem = generate_problem(GetParam(), 6, 6, 37, 1);
  const Matrix right = correct_answer(problem);
  Matrix transposed(6, 6);
  Matrix shifted = right;
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = 0; j < 6; ++j) {
      transposed(i, j) = right(j, i);
      if (j + 1 < 6) shifted(i, j) = right(i, j + 1);
    }
  }
  EXPECT_EQ(diagnosed(problem, transposed), "D holds the transposed answer there");
  EXPECT_EQ(diagnosed(problem, shifted), "D holds there what belongs 1 column to the right");
}

TEST_P(DiagnosisOn, UnwrittenElementsAreFoundByTheirOldBits) {
  const reference::Gemm problem = generate_problem(GetParam(), 70, 67, 9, 1);
  const Matrix poison(70, 67, kNan);
  Matrix got = correct_answer(problem);
  for (std::int64_t i = 0; i < 70; ++i) {
    for (std::int64_t j = 64; j < 67; ++j) got(i, j) = kNan;
  }
  EXPECT_EQ(diagnosed(problem, got, &poison),
            "the wrong elements lie in columns 64 to 66, beyond the last multiple of 64; "
            "D was not written there and holds what lay in it before");
  EXPECT_EQ(diagnosed(problem, got),
            "the wrong elements lie in columns 64 to 66, beyond the last multiple of 64; "
            "D holds NaN there");
}

TEST_P(DiagnosisOn, PlacesAreNamed) {
  const reference::Gemm problem = generate_problem(GetParam(), 40, 50, 9, 1);
  const Matrix right = correct_answer(problem);
  const auto with_noise = [&](auto is_wrong) {
    Matrix got = right;
    for (std::int64_t i = 0; i < 40; ++i) {
      for (std::int64_t j = 0; j < 50; ++j) {
        // No single cause explains these errors.
        if (is_wrong(i, j)) got(i, j) += 1000.0 + static_cast<double>((i * 31 + j * 17) % 23);
      }
    }
    return diagnosed(problem, got);
  };
  using Index = std::int64_t;
  EXPECT_EQ(with_noise([](Index i, Index j) { return i == 3 && j == 5; }), "only C[3, 5] is wrong");
  EXPECT_EQ(with_noise([](Index i, Index) { return i == 39; }),
            "the wrong elements lie in row 39, the last");
  EXPECT_EQ(with_noise([](Index, Index j) { return j == 7; }),
            "the wrong elements lie in column 7");
  EXPECT_EQ(with_noise([](Index i, Index) { return i >= 32; }),
            "the wrong elements lie in rows 32 to 39, beyond the last multiple of 32");
  EXPECT_EQ(with_noise([](Index, Index j) { return j % 4 == 3; }),
            "the wrong elements lie where the column modulo 4 is 3");
  EXPECT_EQ(with_noise([](Index i, Index) { return i % 16 == 5; }),
            "the wrong elements lie where the row modulo 16 is 5");
  EXPECT_EQ(with_noise([](Index i, Index j) { return i / 8 == 2 && j / 8 == 3; }),
            "the wrong elements lie in the 8 x 8 tile at C[16, 24]");
  EXPECT_EQ(with_noise([](Index i, Index j) { return (i * 7 + j) % 5 == 0; }), "");
  EXPECT_EQ(with_noise([](Index, Index) { return true; }), "every element is wrong");
}

/// Returns the text of the pattern that the elements selected by `is_wrong` form.
std::string text_of_pattern(std::int64_t rows, std::int64_t columns,
                            const std::function<bool(std::int64_t, std::int64_t)>& is_wrong) {
  std::vector<Place> wrong;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      if (is_wrong(i, j)) wrong.push_back({i, j});
    }
  }
  return report::pattern_text(pattern_of(wrong, rows, columns));
}

TEST(Pattern, AWholeLastTileIsNamed) {
  EXPECT_EQ(text_of_pattern(64, 300, [](std::int64_t i, std::int64_t) { return i >= 56; }),
            "the wrong elements lie in rows 56 to 63, the last whole tile of 8");
  EXPECT_EQ(
      text_of_pattern(300, 64, [](std::int64_t, std::int64_t j) { return j >= 32 && j < 63; }),
      "the wrong elements lie in columns 32 to 62, the last whole tile of 32");
  EXPECT_EQ(text_of_pattern(64, 300, [](std::int64_t i, std::int64_t) { return i >= 55; }), "");
  EXPECT_EQ(text_of_pattern(64, 300, [](std::int64_t i, std::int64_t j) { return i + j > 0; }), "");
}

TEST(Diagnosis, ACorrectResultHasNoDiagnosis) {
  const reference::Gemm problem = generate_problem(Recipe::normal, 6, 5, 37, 1);
  EXPECT_EQ(diagnosed(problem, correct_answer(problem)), "");
}

}  // namespace
}  // namespace warpcheck::campaign::judge
