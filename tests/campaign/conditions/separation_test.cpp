#include "campaign/conditions/separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpcheck::campaign::conditions {
namespace {

using Fails = bool (*)(const Case&);

/// The condition if the smallest failing case is among the cases.
std::optional<Separation> separated(const std::vector<SeenCase>& cases) {
  const auto failing =
      std::find_if(cases.begin(), cases.end(), [](const SeenCase& seen) { return seen.failed; });
  return separating_condition(cases, failing->problem);
}

/// Cases with sizes from 1 to 64, of which some have alpha = 0, padded lines or shifted bases.
std::vector<SeenCase> cases_that(Fails fails) {
  std::vector<SeenCase> cases;
  for (std::int64_t i = 0; i < 60; ++i) {
    Case problem;
    problem.set_value("m", 1 + i * 37 % 64);
    problem.set_value("n", 1 + i * 53 % 64);
    problem.set_value("k", i % 3 == 0 ? 8 * (1 + i % 8) : 1 + i * 29 % 64);
    problem.set_value("lda", i * 7 % 5 < 2 ? problem.whole("k") + 1 + i % 9 : 0);
    problem.set_value("off_b", i * 11 % 7);
    problem.set_value("alpha", i % 10 == 5 ? 0.0 : 1.0);
    cases.push_back({problem, fails(problem)});
  }
  return cases;
}

TEST(Separation, MultipleOfTheDepth) {
  const auto cases = cases_that([](const Case& problem) { return problem.whole("k") % 8 != 0; });
  const auto found = separated(cases);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "k % 8 == 0");
  EXPECT_EQ(found->failing + found->passing, std::ssize(cases));
}

TEST(Separation, LargestExtent) {
  const auto found =
      separated(cases_that([](const Case& problem) { return problem.whole("m") > 32; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition.substr(0, 5), "m <= ");
}

// No case of the campaign has an m between 33 and 47, but the shrunk one has.
TEST(Separation, TheSmallestCaseContradictsNoCondition) {
  auto cases = cases_that([](const Case& problem) { return problem.whole("m") > 32; });
  std::erase_if(cases, [](const SeenCase& seen) {
    return seen.problem.whole("m") > 32 && seen.problem.whole("m") < 48;
  });
  Case smallest;
  smallest.set_value("m", 33);
  smallest.set_value("n", 1);
  smallest.set_value("k", 1);
  const auto found = separating_condition(cases, smallest);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "m <= 32");
  EXPECT_EQ(found->failing + found->passing, std::ssize(cases)) << "it is not counted";
  smallest.set_value("m", 5);
  EXPECT_FALSE(separating_condition(cases, smallest)) << "smaller ones passed";
}

TEST(Separation, MultiplesThatFail) {
  const auto found =
      separated(cases_that([](const Case& problem) { return problem.whole("k") % 8 == 0; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "k % 8 != 0");
}

TEST(Separation, PassesWithoutTermsAreAnException) {
  const auto found = separated(cases_that([](const Case& problem) {
    return problem.whole("k") % 8 != 0 && problem.number("alpha") != 0.0;
  }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "k % 8 == 0 or alpha == 0");
}

TEST(Separation, PaddedLines) {
  const auto found =
      separated(cases_that([](const Case& problem) { return problem.whole("lda") != 0; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "lda is tight");
}

TEST(Separation, TightLines) {
  const auto found =
      separated(cases_that([](const Case& problem) { return problem.whole("lda") == 0; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "lda is padded");
}

TEST(Separation, PaddedRowsOfATensor) {
  std::vector<SeenCase> cases;
  for (std::int64_t i = 0; i < 60; ++i) {
    Case problem;
    problem.operation = "row_sums";
    const std::int64_t columns = 1 + i * 53 % 64;
    problem.set_value("rows", static_cast<double>(1 + i * 37 % 64));
    problem.set_value("columns", static_cast<double>(columns));
    const bool is_padded = i * 7 % 5 < 2;
    if (is_padded) problem.set_value("stride_x", static_cast<double>(columns + 1 + i % 9));
    cases.push_back({problem, is_padded});
  }
  const auto found = separated(cases);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "stride_x is tight");
}

TEST(Separation, AlignmentOfABase) {
  const auto found =
      separated(cases_that([](const Case& problem) { return problem.whole("off_b") % 4 != 0; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "off_b % 4 == 0");
}

TEST(Separation, OneContradictionLeavesNoCondition) {
  auto cases = cases_that([](const Case& problem) { return problem.whole("k") % 8 != 0; });
  Case passing;
  passing.set_value("m", 5);
  passing.set_value("n", 5);
  passing.set_value("k", 7);
  cases.push_back({passing, false});
  passing.set_value("k", 24);
  cases.push_back({passing, true});
  EXPECT_FALSE(separated(cases));
}

TEST(Separation, FewCasesStateNothing) {
  auto cases = cases_that([](const Case& problem) { return problem.whole("k") % 8 != 0; });
  cases.resize(12);
  EXPECT_FALSE(separated(cases));
}

}  // namespace
}  // namespace warpcheck::campaign::conditions
