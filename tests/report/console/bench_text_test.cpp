#include "report/console/bench_text.hpp"

#include <gmock/gmock.h>

#include "tests/workflows/bench/sample_results.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;
using workflows::bench::sample_results;

TEST(BenchText, HasARowForEachResult) {
  const auto results = sample_results().results;
  const std::string head = bench_head(7);
  const std::string row = bench_row(results[0], 7);
  EXPECT_EQ(head.size(), row.size());
  EXPECT_EQ(
      row,
      "fast<1>     1000x1000x1000      1 ms   10.0 %   2.0 TOP/s   2.5 TOP/s    80.0 %   50.0 %   "
      "1700\n");
}

TEST(BenchText, ShowsWhatIsUnknownAndWhatIsWrong) {
  const std::string row = bench_row(sample_results().results[1], 7);
  EXPECT_THAT(row, HasSubstr("2.0 TOP/s           -         -        -      -\n"));
  EXPECT_THAT(row, HasSubstr("  wrong result: C[0, 1] is 3, expected 4 +- 0\n"));
}

TEST(BenchText, ShowsTheBandwidthOfAnotherOperation) {
  EXPECT_EQ(
      bench_row(sample_results().results[2], 7),
      "softmax           1000x250      1 ms   10.0 %    2.0 GB/s           -         -   50.0 %  "
      "    -\n");
}

}  // namespace
}  // namespace warpcheck::report
