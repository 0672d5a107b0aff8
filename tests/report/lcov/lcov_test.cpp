#include "report/lcov/lcov.hpp"

#include <gtest/gtest.h>

namespace warpcheck::report {
namespace {

using campaign::coverage::SourceCoverage;

/// Lines 3 to 9; 4, 5 and 9 were never executed; one branch took one direction, one was never
/// reached.
SourceCoverage sample_coverage() {
  return {{{"/k/a.cu",
            {{3, 8, {{5, 0, 7, 1}, {20, 0, 8, 0}}},
             {4, 0, {}},
             {5, 0, {{2, 0, 0, 0}}},
             {7, 2, {}},
             {9, 0, {}}},
            {{"sgemm<128, 8>", 3, 8}, {"unused", 9, 0}}}}};
}

ReportContext context_of_coverages(std::initializer_list<SourceCoverage> coverages) {
  ReportContext all;
  for (const SourceCoverage& coverage : coverages) {
    campaign::VariantReport variant;
    variant.coverage = coverage;
    all.totals.variants.push_back(variant);
  }
  all.totals.variants.emplace_back();  // its coverage is unknown
  return all;
}

TEST(Lcov, WritesRecordsOfGeninfo) {
  EXPECT_EQ(lcov(context_of_coverages({sample_coverage()})),
            "TN:warpcheck\nSF:/k/a.cu\nFN:3,sgemm<128; 8>\nFN:9,unused\nFNDA:8,sgemm<128; 8>\n"
            "FNDA:0,unused\nFNF:2\nFNH:1\n"
            "BRDA:3,0,0,7\nBRDA:3,0,1,1\nBRDA:3,1,0,8\nBRDA:3,1,1,0\nBRDA:5,0,0,-\nBRDA:5,0,1,-\n"
            "BRF:6\nBRH:3\nDA:3,8\nDA:4,0\nDA:5,0\nDA:7,2\nDA:9,0\nLF:5\nLH:2\nend_of_record\n");
}

TEST(Lcov, AddsCountsOfVariantsThatShareAFile) {
  const SourceCoverage other = {{{"/k/a.cu",
                                  {{4, 6, {}}, {5, 1, {{2, 0, 0, 1}, {8, 0, 1, 0}}}, {6, 0, {}}},
                                  {{"other", 4, 6}}},
                                 {"/k/b.cuh", {{1, 1, {}}}, {}}}};
  SourceCoverage sum = sample_coverage();
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
  merge(reversed, sample_coverage());
  EXPECT_EQ(reversed, expected);
  EXPECT_EQ(lcov(context_of_coverages({sample_coverage(), other})),
            lcov(context_of_coverages({expected})));
}

}  // namespace
}  // namespace warpcheck::report
