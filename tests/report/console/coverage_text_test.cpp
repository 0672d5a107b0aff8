#include "report/console/coverage_text.hpp"

#include <gtest/gtest.h>

#include "report/lcov/lcov.hpp"

namespace warpcheck::report {
namespace {

using properties::coverage::SourceCoverage;

/// Lines 3 to 9; 4, 5 and 9 were never executed; one branch went one way, one was never reached.
SourceCoverage some() {
  return {{{"/k/a.cu",
            {{3, 8, {{5, 0, 7, 1}, {20, 0, 8, 0}}},
             {4, 0, {}},
             {5, 0, {{2, 0, 0, 0}}},
             {7, 2, {}},
             {9, 0, {}}},
            {{"sgemm<128, 8>", 3, 8}, {"unused", 9, 0}}}}};
}

ReportContext told(std::initializer_list<SourceCoverage> coverages) {
  ReportContext all;
  for (const SourceCoverage& coverage : coverages) {
    properties::campaign::VariantReport variant;
    variant.coverage = coverage;
    all.totals.variants.push_back(variant);
  }
  all.totals.variants.emplace_back();  // one whose coverage is not known
  return all;
}

TEST(CoverageText, RoundsDownAndCountsWays) {
  EXPECT_EQ(covered(some()), "2 of 5 lines (40.0 %), 3 of 6 branches (50.0 %)");
  EXPECT_EQ(covered({{{"a.cu", {{1, 1, {}}, {2, 1, {}}, {3, 0, {}}}, {}}}}),
            "2 of 3 lines (66.6 %), 0 of 0 branches (100.0 %)");
}

TEST(CoverageText, NamesWhatIsMissingOfWhatThereIsTooLittle) {
  EXPECT_EQ(shortfall(some(), {40, 50}), "");
  EXPECT_EQ(shortfall(some(), {41, 0}), "lines 40.0 % (never executed: /k/a.cu:4-5,9)");
  EXPECT_EQ(shortfall(some(), {41, 51}),
            "lines 40.0 % (never executed: /k/a.cu:4-5,9), branches 50.0 % (one way only: "
            "/k/a.cu:3,5)");
}

TEST(Lcov, WritesTheRecordsOfGeninfo) {
  EXPECT_EQ(lcov(told({some()})),
            "TN:warpcheck\nSF:/k/a.cu\nFN:3,sgemm<128; 8>\nFN:9,unused\nFNDA:8,sgemm<128; 8>\n"
            "FNDA:0,unused\nFNF:2\nFNH:1\n"
            "BRDA:3,0,0,7\nBRDA:3,0,1,1\nBRDA:3,1,0,8\nBRDA:3,1,1,0\nBRDA:5,0,0,-\nBRDA:5,0,1,-\n"
            "BRF:6\nBRH:3\nDA:3,8\nDA:4,0\nDA:5,0\nDA:7,2\nDA:9,0\nLF:5\nLH:2\nend_of_record\n");
}

TEST(Lcov, AddsUpWhatVariantsHaveInCommon) {
  const SourceCoverage other = {{{"/k/a.cu",
                                  {{4, 6, {}}, {5, 1, {{2, 0, 0, 1}, {8, 0, 1, 0}}}, {6, 0, {}}},
                                  {{"other", 4, 6}}},
                                 {"/k/b.cuh", {{1, 1, {}}}, {}}}};
  SourceCoverage sum = some();
  merge(sum, other);
  const SourceCoverage expected = {{{"/k/a.cu",
                                     {{3, 8, {{5, 0, 7, 1}, {20, 0, 8, 0}}},
                                      {4, 6, {}},
                                      {5, 1, {{2, 0, 0, 1}, {8, 0, 1, 0}}},
                                      {6, 0, {}},
                                      {7, 2, {}},
                                      {9, 0, {}}},
                                     {{"sgemm<128, 8>", 3, 8}, {"other", 4, 6}, {"unused", 9, 0}}},
                                    {"/k/b.cuh", {{1, 1, {}}}, {}}}};
  EXPECT_EQ(sum, expected);
  SourceCoverage reversed = other;
  merge(reversed, some());
  EXPECT_EQ(reversed, expected);
  EXPECT_EQ(lcov(told({some(), other})), lcov(told({expected})));
}

}  // namespace
}  // namespace warpcheck::report
