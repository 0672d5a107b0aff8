#include "report/coverage_text.hpp"

#include <gtest/gtest.h>

namespace warpcheck::report {
namespace {

using campaign::coverage::SourceCoverage;

/// Lines 3 to 9; 4, 5 and 9 were never executed; one branch took one direction, one was never
/// reached.
SourceCoverage sample() {
  return {{{"/k/a.cu",
            {{3, 8, {{5, 0, 7, 1}, {20, 0, 8, 0}}},
             {4, 0, {}},
             {5, 0, {{2, 0, 0, 0}}},
             {7, 2, {}},
             {9, 0, {}}},
            {{"sgemm<128, 8>", 3, 8}, {"unused", 9, 0}}}}};
}

TEST(CoverageText, RoundsDownAndCountsDirections) {
  EXPECT_EQ(covered(sample()), "2 of 5 lines (40.0 %), 3 of 6 branches (50.0 %)");
  EXPECT_EQ(covered({{{"a.cu", {{1, 1, {}}, {2, 1, {}}, {3, 0, {}}}, {}}}}),
            "2 of 3 lines (66.6 %), 0 of 0 branches (100.0 %)");
}

TEST(CoverageText, ShortfallListsLinesBelowTheMinimum) {
  EXPECT_EQ(shortfall(sample(), {40, 50}), "");
  EXPECT_EQ(shortfall(sample(), {41, 0}), "lines 40.0 % (never executed: /k/a.cu:4-5,9)");
  EXPECT_EQ(shortfall(sample(), {41, 51}),
            "lines 40.0 % (never executed: /k/a.cu:4-5,9), branches 50.0 % (one direction only: "
            "/k/a.cu:3,5)");
}

}  // namespace
}  // namespace warpcheck::report
