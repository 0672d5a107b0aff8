#include "workflows/profile/line_counts.hpp"

#include <gtest/gtest.h>

#include "tests/workflows/profile/sample_profile.hpp"

namespace warpcheck::workflows::profile {
namespace {

TEST(LineCounts, LineWithMostExcessComesFirst) {
  const std::vector<LineCounts> lines = by_line(sample_profile());
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].line, 4U);
  EXPECT_EQ(lines[0].excess(), 310U);
  EXPECT_EQ(lines[0].ways, 32U);
  EXPECT_EQ(lines[1].line, 2U);
  EXPECT_EQ(lines[1].excess(), 280U);
  EXPECT_EQ(lines[2].line, 3U) << "no excess, but most instructions";
}

TEST(LineCounts, BroadcastIsNoExcess) {
  Profile broadcast = sample_profile();
  broadcast.counts[0].global_sectors = 10;
  EXPECT_EQ(by_line(broadcast)[1].global_excess, 0U);
}

}  // namespace
}  // namespace warpcheck::workflows::profile
