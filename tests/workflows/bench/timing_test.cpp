#include "workflows/bench/timing.hpp"

#include <gmock/gmock.h>

namespace warpcheck::workflows::bench {
namespace {

TEST(Timing, SummarizesTimesInAnyOrder) {
  const Timing timing = summarize({5.0, 1.0, 4.0, 2.0, 3.0});
  EXPECT_EQ(timing.median, 3.0);
  EXPECT_EQ(timing.lower_quartile, 2.0);
  EXPECT_EQ(timing.upper_quartile, 4.0);
  EXPECT_EQ(timing.fastest, 1.0);
  EXPECT_EQ(timing.count, 5U);
  EXPECT_DOUBLE_EQ(timing.spread(), 1.0 / 3.0);
}

TEST(Timing, InterpolatesBetweenNeighbours) {
  EXPECT_EQ(summarize({1.0, 2.0}).median, 1.5);
  EXPECT_EQ(summarize({7.0}).upper_quartile, 7.0);
}

}  // namespace
}  // namespace warpcheck::workflows::bench
